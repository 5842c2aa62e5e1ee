package dev.millrace.hub.readings;

import dev.millrace.hub.readings.arriving.BulkItems;
import dev.millrace.hub.readings.arriving.NewEvent;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Problem;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One request with many events. A window of them is under way to Redis at any time, which keeps its
 * pipeline full; when the window is full, or nothing more has arrived, the oldest is waited for.
 */
final class BulkRun {
    /** Enough to fill the lanes, little enough to be nothing in memory. */
    private static final int WINDOW = 512;

    private final EventsService events;
    private final Checks checks;
    private final BulkItems items;
    private final BulkResults results;
    private final Deque<Sent> underWay = new ArrayDeque<>();

    private record Sent(String device, CompletableFuture<Outcome<String>> id) {}

    BulkRun(
            EventsService events,
            Checks checks,
            InputStream body,
            boolean array,
            BulkResults results) {
        this.events = events;
        this.checks = checks;
        this.results = results;
        InputStream watched = new Watched(body);
        this.items = array ? new BulkItems.Array(watched) : new BulkItems.Lines(watched);
    }

    /** Whoever waits for a result before he sends the next event gets it. */
    private final class Watched extends FilterInputStream {
        Watched(InputStream body) {
            super(body);
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            if (available() == 0) {
                finish(0);
                results.push();
            }
            return super.read(target, from, length);
        }
    }

    void run() throws IOException {
        try {
            readAll();
        } catch (Problem problem) {
            // The sender was too slow, or the hub stops: what came before has its results.
            finish(0);
            results.refused(problem);
        }
    }

    private void readAll() throws IOException {
        while (true) {
            switch (items.next()) {
                case BulkItems.Item.Event(NewEvent event) -> add(event);
                case BulkItems.Item.Bad(Problem why) -> {
                    finish(0);
                    results.refused(why);
                }
                case BulkItems.Item.Broken(Problem why) -> {
                    finish(0);
                    results.refused(why);
                    return;
                }
                case BulkItems.Item.End() -> {
                    finish(0);
                    return;
                }
            }
        }
    }

    private void add(NewEvent event) throws IOException {
        Optional<Answer> refusal = checks.refusal(event);
        if (refusal.isPresent()) {
            finish(0);
            results.refused(refusal.get());
        } else {
            underWay.add(new Sent(event.event().device(), events.add(event)));
            finish(WINDOW);
        }
    }

    /** Sends the results of those that are done, and waits until no more than so many are left. */
    private void finish(int most) throws IOException {
        while (underWay.size() > most || (!underWay.isEmpty() && underWay.getFirst().id.isDone())) {
            Sent sent = underWay.removeFirst();
            try {
                results.stored(sent.id.join().orThrow());
                checks.taken(sent.device);
            } catch (RedisException e) {
                results.refused(Problem.of(e));
            }
        }
    }
}
