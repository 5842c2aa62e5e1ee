package dev.millrace.hub.cli;

import dev.millrace.hub.cli.terminal.Terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM for a command that has something to put in order before it goes. The JVM is
 * held for the few seconds this takes and then ends as it would have, so that a shell sees that the
 * command was interrupted.
 */
final class Interruption implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 5;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::hold, "interruption");
    private volatile boolean came;

    private Interruption() {}

    static Interruption listen() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void hold() {
        came = true;
        try {
            if (!closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                Terminal.note("interrupted before it was ready for it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean came() {
        return came;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the hook is running: a signal came
        }
    }
}
