package dev.millrace.hub.cli;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What a hub does to show the JVM what a hub does. The launcher lets one start on data of its own,
 * with {@code run --rehearse}, while the JVM takes notes; from them it makes the ahead-of-time
 * cache, with which all later hubs start sooner, and are at full speed sooner: the notes also say
 * which methods are hot and how they branch. So it does what clients do first, in all rooms, some
 * thousand times: what is not done here has to be learnt by every hub anew.
 *
 * <p>Several connections at once, because calls that travel together take other paths than a call
 * that travels alone.
 */
final class Rehearsal {
    private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);

    private static final int LINES = 8;

    /** The pages are large, and people do not look at them a thousand times. */
    private static final int PAGE_EVERY = 10;

    private static final List<String> PAGES =
            List.of("/", "/openapi.json", "/metrics", "/health/ready");
    private static final String WAITING = "/channel/rehearsal/subscription/polling/one";
    private static final Pattern HANDLE = Pattern.compile("\"ackHandle\" *: *\"([^\"]+)\"");

    private final URI hub;
    private final int rounds;

    /** What was not answered with success, each once. */
    private final Set<String> refused = new ConcurrentSkipListSet<>();

    private Rehearsal(URI hub, int rounds) {
        this.hub = hub;
        this.rounds = rounds;
    }

    /**
     * Does what clients do; that something of it is missing does not matter.
     *
     * @param rounds of each connection
     * @return what was not answered with success
     */
    static Set<String> visit(URI hub, int rounds) {
        Rehearsal rehearsal = new Rehearsal(hub, rounds);
        try (ExecutorService lines = Executors.newVirtualThreadPerTaskExecutor()) {
            rehearsal.prepare();
            List<? extends Future<?>> all =
                    IntStream.range(0, LINES)
                            .mapToObj(line -> lines.submit(() -> rehearsal.play(line)))
                            .toList();
            for (Future<?> each : all) {
                each.get();
            }
        } catch (IOException | ExecutionException e) {
            log.warn("The rehearsal ended early: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!rehearsal.refused.isEmpty()) {
            log.warn("The rehearsal was refused something. requests={}", rehearsal.refused);
        }
        return new TreeSet<>(rehearsal.refused);
    }

    private void prepare() throws IOException {
        try (RehearsalLine line = new RehearsalLine(hub)) {
            ask(line, "PUT", WAITING, "");
        }
    }

    private Void play(int number) throws IOException {
        try (RehearsalLine line = new RehearsalLine(hub)) {
            for (int round = 0; round < rounds; round++) {
                if (round % PAGE_EVERY == 0) {
                    ask(line, "GET", PAGES.get((round / PAGE_EVERY + number) % PAGES.size()), "");
                }
                readings(line, number, round);
                documents(line, number, round);
                messages(line, number, round);
            }
        }
        return null;
    }

    private void readings(RehearsalLine line, int number, int round) throws IOException {
        ask(
                line,
                "POST",
                "/api/v1/event",
                """
                {"device":"rehearsal-%d","origin":1590508601358048800,"readings":[\
                {"name":"pressure","value":"%d.25","valueType":"Float64","floatEncoding":"eNotation"},\
                {"name":"flow","value":"%d","valueType":"Int32"}]}\
                """
                        .formatted(number, round, number));
        ask(line, "GET", "/api/v1/event/device/rehearsal-" + number + "/10", "");
        ask(line, "GET", "/api/v1/reading/device/rehearsal-" + number + "/100", "");
    }

    private void documents(RehearsalLine line, int number, int round) throws IOException {
        String datastore = "/history/datastore/";
        ask(
                line,
                "POST",
                datastore + "set",
                """
                {"value":{"namespace":"rehearsal","id":"block-%d","state":{"value":%d.5}}}\
                """
                        .formatted(number, round));
        ask(
                line,
                "POST",
                datastore + "get",
                "{\"namespace\":\"rehearsal\",\"id\":\"block-%d\"}".formatted(number));
        ask(line, "POST", datastore + "mget", "{\"namespace\":\"rehearsal\",\"filter\":\"*\"}");
    }

    private void messages(RehearsalLine line, int number, int round) throws IOException {
        ask(
                line,
                "PUT",
                "/channel/rehearsal/message/m-%d-%d".formatted(number, round),
                "{\"total\":%d.5}".formatted(round));
        RehearsalLine.Answer polled = ask(line, "GET", WAITING + "?timeout=0s&limit=10", "");
        Matcher handle = HANDLE.matcher(polled.body());
        String last = "";
        while (handle.find()) {
            last = handle.group(1);
        }
        if (!last.isEmpty()) {
            // Another connection may have acknowledged further: that is no refusal worth a word.
            line.ask("DELETE", WAITING + "/message?ackHandle=" + last, "");
        }
    }

    private RehearsalLine.Answer ask(RehearsalLine line, String method, String path, String body)
            throws IOException {
        RehearsalLine.Answer answer = line.ask(method, path, body);
        if (!answer.good()) {
            refused.add(method + " " + path.replaceAll("\\d+", "n") + " " + answer.status());
        }
        return answer;
    }
}
