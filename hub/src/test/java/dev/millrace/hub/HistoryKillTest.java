package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hubs and Redis are killed while values come in and are recorded: each value that was acknowledged
 * is a sample, once, and the statistics count each sample once.
 */
class HistoryKillTest {
    private static final boolean FULL = Boolean.getBoolean("millrace.full");
    private static final int CHANNELS = 4;
    private static final int POINTS = 5;

    /** Every value has a time of its own. */
    private static final long START = System.currentTimeMillis() / 3_600_000 * 3_600_000;

    @TempDir private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** The times at which each channel's values were acknowledged, and those that were tried. */
    private final Map<Integer, Set<Long>> acknowledged = new ConcurrentHashMap<>();

    private final Map<Integer, Set<Long>> tried = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean writing = true;
    private volatile String url = "";

    @AfterEach
    void end() {
        writing = false;
        threads.shutdownNow();
        client.shutdownNow();
    }

    private List<Future<?>> write() {
        List<Future<?>> writers = new ArrayList<>();
        for (int channel = 1; channel <= CHANNELS; channel++) {
            int one = channel;
            acknowledged.put(one, ConcurrentHashMap.newKeySet());
            tried.put(one, ConcurrentHashMap.newKeySet());
            writers.add(threads.submit(() -> write(one)));
        }
        return writers;
    }

    private void write(int channel) {
        for (int n = 0; writing; n++) {
            long at = START + n;
            StringBuilder body = new StringBuilder("{\"timestamp\":").append(at);
            body.append(",\"points\":{");
            for (int point = 1; point <= POINTS; point++) {
                body.append(point == 1 ? "" : ",").append('"').append(point).append("\":");
                body.append(n * 10 + point);
            }
            Objects.requireNonNull(tried.get(channel)).add(at);
            try {
                int status =
                        TestHub.send(
                                        url,
                                        client,
                                        "POST",
                                        "/api/channels/%d/T".formatted(channel),
                                        body.append("}}").toString(),
                                        Optional.empty())
                                .status();
                if (status == 200) {
                    Objects.requireNonNull(acknowledged.get(channel)).add(at);
                    count.incrementAndGet();
                }
            } catch (UncheckedIOException e) {
                // The hub is gone just now; whether it was stored, nobody knows.
            }
        }
    }

    private void some(int more) {
        int from = count.get();
        await().until(() -> count.get() >= from + more);
    }

    private static Set<Long> times(TestServer server, int channel, int point) {
        Set<Long> times = new HashSet<>();
        for (Object key :
                (List<?>)
                        Objects.requireNonNull(
                                server.command(
                                        "KEYS",
                                        "history:comsrv:%d:%d:*".formatted(channel, point)))) {
            List<?> members =
                    (List<?>)
                            Objects.requireNonNull(
                                    server.command("ZRANGE", String.valueOf(key), "0", "-1"));
            for (Object member : members) {
                String text = String.valueOf(member);
                long at = Long.parseLong(text.substring(text.indexOf(':') + 1));
                assertThat(times.add(at)).as("%s is there once", text).isTrue();
                assertThat(text).startsWith((at - START) * 10 + point + ":");
            }
        }
        return times;
    }

    private void everythingIsThereOnce(TestServer server) {
        await().until(
                        () ->
                                acknowledged.entrySet().stream()
                                        .allMatch(
                                                each ->
                                                        times(server, each.getKey(), POINTS)
                                                                .containsAll(each.getValue())));
        for (int channel = 1; channel <= CHANNELS; channel++) {
            int one = channel;
            int samples = 0;
            for (int point = 1; point <= POINTS; point++) {
                Set<Long> times = times(server, channel, point);
                assertThat(times).containsAll(acknowledged.get(channel));
                assertThat(new TreeSet<>(tried.get(channel))).containsAll(times);
                assertThat(
                                server.command(
                                        "HGET",
                                        "history:statistics:comsrv:" + channel,
                                        point + ".count"))
                        .isEqualTo(Integer.toString(times.size()));
                samples += times.size();
            }
            assertThat(server.command("HGET", "history:statistics:comsrv:" + one, "count"))
                    .isEqualTo(Integer.toString(samples));
        }
    }

    @Test
    void a_hub_that_is_killed_leaves_its_place_to_the_next() throws Exception {
        try (TestServer server = TestServer.start()) {
            List<Future<?>> writers = List.of();
            for (int round = 0; round < (FULL ? 6 : 2); round++) {
                try (Millrace hub =
                        Millrace.start(
                                        directory,
                                        "run",
                                        "--set",
                                        "redis.url=" + server.url(),
                                        "--set",
                                        "history.record.mode=on_update")
                                .awaitReady()) {
                    url = String.valueOf(hub.url()).replaceAll("/$", "");
                    if (round == 0) {
                        writers = write();
                    }
                    some(400);
                    hub.signal("KILL").end();
                }
            }
            writing = false;
            for (Future<?> each : writers) {
                each.get();
            }
            try (TestHub last = TestHub.start(server, "history.record.mode=on_update")) {
                everythingIsThereOnce(server);
                assertThat(last.keyspace().check().run().drift()).isZero();
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_redis_that_loses_its_power_loses_nothing_acknowledged() throws Exception {
        try (TestServer server =
                        TestServer.start("appendonly yes", "appendfsync always", "save \"\"");
                TestHub hub =
                        TestHub.start(
                                server, "history.record.mode=on_update", "durability=fsync")) {
            url = hub.url();
            PowerCuts cuts = new PowerCuts(server);
            List<Future<?>> writers = write();
            for (int round = 0; round < (FULL ? 12 : 3); round++) {
                some(200);
                cuts.cut();
            }
            some(100);
            writing = false;
            for (Future<?> each : writers) {
                each.get();
            }
            everythingIsThereOnce(server);
            assertThat(hub.keyspace().check().run().drift()).isZero();
        }
    }
}
