package dev.millrace.hub.cli;

import dev.millrace.hub.cli.terminal.Terminal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Says how many keys a walk has counted, every few seconds. */
final class CountNotes implements LongConsumer {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

    private long told = System.nanoTime();

    @Override
    public void accept(long seen) {
        long now = System.nanoTime();
        if (now - told >= PERIOD_NANOS) {
            told = now;
            Terminal.note("%d keys counted".formatted(seen));
        }
    }
}
