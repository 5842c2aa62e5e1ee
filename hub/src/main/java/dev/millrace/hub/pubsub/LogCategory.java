package dev.millrace.hub.pubsub;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The reference's categories of log lines, and the loggers here that write such lines. */
final class LogCategory {
    /** The logger of whoever sends messages to webhooks. */
    static final String WEBHOOKS = "dev.millrace.hub.pubsub.webhook-out";

    private static final String OURS = "dev.millrace";

    private static final Map<String, List<String>> LOGGERS =
            Map.of(
                    "*", List.of(OURS),
                    "server", List.of("dev.millrace.hub.Hub", "dev.millrace.hub.RunCommand"),
                    "logger", List.of("dev.millrace.hub.ops"),
                    "auth",
                            List.of(
                                    "dev.millrace.hub.access",
                                    ChannelGate.class.getName(),
                                    AdminApi.class.getName()),
                    "http", List.of("dev.millrace.hub.http"),
                    "storage", List.of("dev.millrace.keyspace"),
                    "webhook-out", List.of(WEBHOOKS));

    private LogCategory() {}

    /**
     * Shows lines of a category from this level on. A category that writes nothing here is accepted
     * all the same: some of the reference's have no counterpart.
     *
     * @param levels changes the level of a logger
     */
    static void show(String category, String level, BiConsumer<String, String> levels) {
        // There is nothing above errors here; who wants to see only that sees nothing.
        String word = level.equals("fatal") ? "off" : level;
        LOGGERS.getOrDefault(category, List.of()).forEach(logger -> levels.accept(logger, word));
    }
}
