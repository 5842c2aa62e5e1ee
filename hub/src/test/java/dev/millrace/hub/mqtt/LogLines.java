package dev.millrace.hub.mqtt;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What MQTT, and the broker that it is made of, write into the log from now on. */
public final class LogLines implements AutoCloseable {
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final AppenderBase<ILoggingEvent> appender =
            new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    if (event.getLoggerName().startsWith("org.apache.activemq")
                            || event.getLoggerName().startsWith("dev.millrace.hub.mqtt")
                            || event.getLoggerName().startsWith("io.netty")) {
                        events.add(event);
                    }
                }
            };

    /** To be made after a hub that takes over the log. */
    public LogLines() {
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
    }

    /** The lines of this level. */
    public List<String> of(Level level) {
        return events.stream()
                .filter(each -> each.getLevel().equals(level))
                .map(each -> each.getLoggerName() + ": " + each.getFormattedMessage())
                .toList();
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        appender.stop();
    }
}
