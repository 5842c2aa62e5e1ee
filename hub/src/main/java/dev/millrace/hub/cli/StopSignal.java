package dev.millrace.hub.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM, turned into an orderly end. The JVM begins to shut down at once and would
 * leave with 143; so the hook that it calls wakes whoever waits, holds the JVM until everything is
 * closed, and then ends it with 0, since that was what somebody wanted. Closing this before a
 * signal came takes the hook away again.
 */
final class StopSignal implements AutoCloseable {
    /** Longer than an embedded server takes to write its data; a second signal does not help. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::obey, "stop");

    private StopSignal() {}

    static StopSignal listen() {
        StopSignal signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    private void obey() {
        asked.countDown();
        try {
            boolean orderly = closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            Runtime.getRuntime().halt(orderly ? 0 : 2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until somebody wants us to stop. */
    void await() throws InterruptedException {
        asked.await();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the hook is running: a signal came, and it ends the JVM now
        }
    }
}
