package dev.millrace.hub.readings;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code POST /api/v1/events}: as many events as one likes in one request, as a JSON array or one a
 * line. Both the body and the answer are streams: an event is stored as soon as it has arrived, and
 * its result is sent as soon as it is stored; a sender that is faster than Redis waits. Each event
 * is stored whole or not at all, by itself; those of one device in the order they were sent (in a
 * cluster, unless they bring ids of their own).
 *
 * <p>A client that sends everything before it reads anything may send some ten thousand events at
 * once ({@link BulkResults}); one that reads meanwhile, without end.
 */
final class BulkApi {
    /** Each has a window of events under way; more senders would only wait for each other. */
    private static final int AT_ONCE = 64;

    private final EventsService events;
    private final AtomicInteger running = new AtomicInteger();

    BulkApi(EventsService events) {
        this.events = events;
    }

    /**
     * What became of one event, in the order they were sent.
     *
     * @param status as if the event had been sent by itself; 200 means stored
     * @param id of the event, if it was stored
     * @param error a sentence, if it was not
     */
    record Result(int status, String id, String error) {}

    List<Route> routes() {
        return List.of(
                Route.post("/api/v1/events")
                        .needs(Role.OPERATOR, EventsApi.ROOM)
                        .about(
                                "Stores many events: a JSON array, or one event a line. Gives a"
                                        + " result for each, in their order, while they arrive.")
                        .gives(Result.class)
                        .receivingBy(this::add));
    }

    private Answer add(Request request, InputStream arriving) throws IOException {
        if (running.get() >= AT_ONCE) {
            throw Problem.retryable(
                    Code.OVERLOADED,
                    "%d others are sending many events; try again.".formatted(AT_ONCE),
                    Duration.ofSeconds(1));
        }
        PushbackInputStream body = new PushbackInputStream(arriving);
        int first = firstByte(body);
        if (first < 0) {
            throw Problem.of(
                    Code.BAD_BODY,
                    "The body is empty; send a JSON array of events, or one event a line.");
        }
        boolean array = first == '[';
        return Answer.streamed(
                array ? "application/json" : "application/x-ndjson",
                out -> {
                    running.incrementAndGet();
                    try (BulkResults results = new BulkResults(out, array)) {
                        run(new BulkRun(events, body, array, results), results);
                    } finally {
                        running.decrementAndGet();
                    }
                });
    }

    private static void run(BulkRun run, BulkResults results) throws IOException {
        try {
            run.run();
        } catch (Problem problem) {
            // The sender was too slow, or the hub stops: what came before has its results.
            run.finish();
            results.refused(problem.code().status(), problem.detail());
        }
    }

    /** The first byte that is not a blank, which stays to be read. */
    private static int firstByte(PushbackInputStream body) throws IOException {
        while (true) {
            int next = body.read();
            if (next != ' ' && next != '\t' && next != '\r' && next != '\n') {
                if (next >= 0) {
                    body.unread(next);
                }
                return next;
            }
        }
    }
}
