package dev.millrace.hub.pubsub;

import dev.millrace.hub.pubsub.channels.ChannelGate;
import dev.millrace.hub.pubsub.webhooks.Webhooks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * The reference's categories of log lines, and the loggers here that write such lines. Thread-safe.
 *
 * <p>The calls of this room have a logger that is silent until somebody wants its lines, by name or
 * with all others: docs/decisions/0017-pubsub-access.md says why.
 */
final class LogCategory {
    /** The logger that has a line for every call. */
    static final String CALLS = "dev.millrace.hub.pubsub.http";

    private static final String ALL = "*";
    private static final String HTTP = "http";
    private static final String OURS = "dev.millrace";

    private static final Map<String, List<String>> LOGGERS =
            Map.of(
                    ALL,
                    List.of(OURS),
                    "server",
                    List.of("dev.millrace.hub.Hub", "dev.millrace.hub.cli.RunCommand"),
                    "logger",
                    List.of("dev.millrace.hub.ops"),
                    "auth",
                    List.of(
                            "dev.millrace.hub.access",
                            ChannelGate.class.getName(),
                            AdminApi.class.getName()),
                    HTTP,
                    List.of("dev.millrace.hub.http"),
                    "storage",
                    List.of("dev.millrace.keyspace"),
                    "webhook-out",
                    List.of(Webhooks.LOGGER));

    private final BiConsumer<String, String> levels;

    /** Whether http has a level of its own, which that of all others does not change. */
    private final AtomicBoolean httpChosen = new AtomicBoolean();

    /**
     * All as they are, and the calls silent.
     *
     * @param levels changes the level of a logger
     */
    LogCategory(BiConsumer<String, String> levels) {
        this.levels = levels;
        levels.accept(CALLS, "warn");
    }

    /**
     * Shows lines of a category from this level on. A category that writes nothing here is accepted
     * all the same: some of the reference's have no counterpart.
     */
    void show(String category, String level) {
        // Nothing is above errors here. What ends the process is printed past the log, so that
        // nobody who wants to see only that misses it.
        String word = level.equals("fatal") ? "off" : level;
        LOGGERS.getOrDefault(category, List.of()).forEach(logger -> levels.accept(logger, word));
        if (category.equals(HTTP)) {
            httpChosen.set(true);
            levels.accept(CALLS, word);
        } else if (category.equals(ALL) && !httpChosen.get()) {
            levels.accept(CALLS, word);
        }
    }
}
