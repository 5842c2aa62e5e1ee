package dev.millrace.hub.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

import java.util.HashMap;
import java.util.Map;

/**
 * Sees every line of the log before its level is looked at: levels can be changed over HTTP, and
 * that is what the attackers do. Afterwards all levels are as they were.
 */
final class ErrorLines extends TurboFilter implements AutoCloseable {
    private final Faults faults;
    private final LoggerContext loggers = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Map<String, Level> levels = new HashMap<>();
    private final Map<String, Integer> warnings;

    /**
     * To be made when the hub has started, since it sets the log up.
     *
     * @param warnings where those are counted that are only warnings
     */
    ErrorLines(Faults faults, Map<String, Integer> warnings) {
        this.faults = faults;
        this.warnings = warnings;
        loggers.getLoggerList()
                .forEach(
                        each -> {
                            if (each.getLevel() != null) {
                                levels.put(each.getName(), each.getLevel());
                            }
                        });
        loggers.addTurboFilter(this);
        start();
    }

    @Override
    public FilterReply decide(
            Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable failure) {
        if (format == null) {
            // Only asked whether the level is on.
            return FilterReply.NEUTRAL;
        }
        if (level.isGreaterOrEqual(Level.ERROR)) {
            faults.add(
                    "ERROR in the log by %s: %s"
                            .formatted(
                                    logger.getName(),
                                    format.substring(0, Math.min(format.length(), 60))),
                    "%s %s %s"
                            .formatted(
                                    format, java.util.Arrays.toString(parameters), stack(failure)));
        } else if (level.isGreaterOrEqual(Level.WARN)) {
            warnings.merge(logger.getName() + ": " + format, 1, Integer::sum);
        }
        // Whoever turned everything on gets it, but not on the standard output of the tests.
        return level.isGreaterOrEqual(Level.INFO) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    private static String stack(@Nullable Throwable failure) {
        if (failure == null) {
            return "";
        }
        java.io.StringWriter text = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(text, true));
        return text.toString()
                .lines()
                .limit(14)
                .collect(java.util.stream.Collectors.joining("\n      "));
    }

    @Override
    public void close() {
        loggers.getTurboFilterList().remove(this);
        loggers.getLoggerList().forEach(each -> each.setLevel(levels.get(each.getName())));
    }
}
