package dev.millrace.hub.telemetry.commands;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import java.time.Duration;

/** What is counted of commands. */
final class CommandFigures {
    private final MeterRegistry figures;
    private final Counter buried;
    private final Timer sending;

    CommandFigures(MeterRegistry figures) {
        this.figures = figures;
        this.buried =
                Counter.builder("millrace.commands.dead_letters")
                        .description("Elements of queues that were not commands.")
                        .register(figures);
        this.sending =
                Timer.builder("millrace.commands.sending")
                        .description("How long devices took to answer commands.")
                        .register(figures);
    }

    void buried() {
        buried.increment();
    }

    /** A command was taken here and has ended. */
    void ended(Command ended, Duration took) {
        String result = ended.error().isEmpty() ? "completed" : ended.error();
        Counter.builder("millrace.commands.ended")
                .tag("result", result)
                .description("Commands that this hub has executed, by how they ended.")
                .register(figures)
                .increment();
        sending.record(took);
    }
}
