package dev.millrace.hub.readings;

import dev.millrace.hub.readings.arriving.BulkItems;
import dev.millrace.hub.readings.arriving.NewEvent;
import dev.millrace.hub.readings.arriving.Refused;
import dev.millrace.hub.readings.arriving.Taken;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * One request with many events. A window of them is under way to Redis at any time, which keeps its
 * pipeline full; when the window is full, or nothing more has arrived, the oldest is waited for.
 */
final class BulkRun {
    /** Enough to fill the lanes, little enough to be nothing in memory. */
    private static final int WINDOW = 512;

    private final EventsService events;
    private final BulkItems items;
    private final BulkResults results;
    private final Deque<CompletableFuture<Taken>> underWay = new ArrayDeque<>();

    BulkRun(EventsService events, InputStream body, boolean array, BulkResults results) {
        this.events = events;
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

    /** Until the body ends; what its stream throws comes out, and {@link #finish} has the rest. */
    void run() throws IOException {
        while (true) {
            switch (items.next()) {
                case BulkItems.Item.Event(NewEvent event) -> {
                    underWay.add(events.take(event));
                    finish(WINDOW);
                }
                case BulkItems.Item.Bad(Refused why) -> {
                    underWay.add(CompletableFuture.completedFuture(why));
                    finish(WINDOW);
                }
                case BulkItems.Item.Broken(Refused why) -> {
                    underWay.add(CompletableFuture.completedFuture(why));
                    finish(0);
                    return;
                }
                case BulkItems.Item.End() -> {
                    finish(0);
                    return;
                }
            }
        }
    }

    /** Gives the results of all that are still under way. */
    void finish() throws IOException {
        finish(0);
    }

    /** Sends the results of those that are done, and waits until no more than so many are left. */
    private void finish(int most) throws IOException {
        while (underWay.size() > most || (!underWay.isEmpty() && underWay.getFirst().isDone())) {
            switch (underWay.removeFirst().join()) {
                case Taken.Stored(String id) -> results.stored(id);
                case Refused why -> results.refused(why);
            }
        }
    }
}
