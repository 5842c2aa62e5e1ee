package dev.millrace.hub.ops;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;

import dev.millrace.hub.http.RequestId;

import java.time.Instant;
import java.util.Optional;

/**
 * One line of the log.
 *
 * @param request on whose behalf it was written, if on one's
 * @param error the stack of what went wrong
 */
record LogLine(
        Instant at,
        String level,
        String logger,
        String thread,
        String message,
        Optional<String> request,
        Optional<String> error) {

    /** A line; to be made on the thread that logs, which knows the request. */
    static LogLine of(ILoggingEvent event) {
        return new LogLine(
                event.getInstant() == null
                        ? Instant.ofEpochMilli(event.getTimeStamp())
                        : event.getInstant(),
                event.getLevel().toString().toLowerCase(java.util.Locale.ROOT),
                event.getLoggerName(),
                event.getThreadName(),
                event.getFormattedMessage() + LogFields.text(event),
                RequestId.CURRENT.isBound()
                        ? Optional.of(RequestId.CURRENT.get())
                        : Optional.empty(),
                Optional.ofNullable(event.getThrowableProxy()).map(ThrowableProxyUtil::asString));
    }

    /** Without what would make a ring of these large. */
    LogLine cut(int longest) {
        return new LogLine(
                at,
                level,
                logger,
                thread,
                cut(message, longest),
                request,
                error.map(text -> cut(text, longest)));
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + "…";
    }
}
