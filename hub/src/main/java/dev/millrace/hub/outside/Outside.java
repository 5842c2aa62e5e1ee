package dev.millrace.hub.outside;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The way to other servers by HTTP. They belong to somebody else, so they may be away, slow, wrong
 * or hostile: every {@link Line} has {@link Limits}. Thread-safe.
 */
public final class Outside implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** A line for somebody who keeps to these limits; whoever has it closes it. */
    public Line line(Limits limits) {
        return new Line(limits, threads);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
