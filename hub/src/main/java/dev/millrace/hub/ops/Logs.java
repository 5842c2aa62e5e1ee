package dev.millrace.hub.ops;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The log of a hub: on standard error, and its last lines in memory, so that an admin can see them
 * without a way to the machine. Levels can be changed while it runs, for a time if wanted: nobody
 * has to remember to switch debugging off again. Thread-safe.
 */
public final class Logs {
    static final int KEPT = 1000;
    static final String OURS = "dev.millrace";
    private static final int LONGEST = 4096;
    private static final int MOST_CHANGES = 100;

    private final LoggerContext context;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<LogLine> lines = new ArrayDeque<>();
    private final Map<String, Change> changes = new HashMap<>();

    /**
     * A level that was changed at run time.
     *
     * @param before what it was; null if it came from above
     * @param until when it falls back
     */
    private record Change(@Nullable Level before, Optional<Instant> until) {}

    /** A logger that has a level of its own. */
    record LoggerLevel(String logger, String level, Optional<Instant> until) {}

    private Logs(LoggerContext context, InstantSource clock) {
        this.context = context;
        this.clock = clock;
    }

    /**
     * Takes over the log of this process.
     *
     * @param level of our own code; libraries speak up from warnings on
     * @param json one object a line instead of text
     */
    public static Logs install(String level, boolean json) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logs logs = new Logs(context, InstantSource.system());
        context.reset();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        // The broker's warnings are about features that we have switched off, the MQTT client's
        // about
        // what it tells its caller anyway.
        context.getLogger("org.apache.activemq").setLevel(Level.ERROR);
        context.addTurboFilter(new BrokerLines());
        context.getLogger("com.hivemq").setLevel(Level.ERROR);
        // It complains, with a stack, of every WebSocket whose client leaves while it is closed.
        context.getLogger("io.netty.util.concurrent.DefaultPromise").setLevel(Level.ERROR);
        context.getLogger(OURS).setLevel(parse(level));
        LogEncoder encoder = new LogEncoder(json);
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setName("console");
        console.setContext(context);
        console.setTarget("System.err");
        console.setEncoder(encoder);
        console.start();
        root.addAppender(console);
        Ring ring = logs.new Ring();
        ring.setName("ring");
        ring.setContext(context);
        ring.start();
        root.addAppender(ring);
        return logs;
    }

    /** Keeps the last lines. */
    private final class Ring extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            LogLine line = LogLine.of(event).cut(LONGEST);
            lock.lock();
            try {
                if (lines.size() == KEPT) {
                    lines.removeFirst();
                }
                lines.addLast(line);
            } finally {
                lock.unlock();
            }
        }
    }

    /** The last lines, oldest first. */
    List<LogLine> last(int most) {
        lock.lock();
        try {
            return lines.stream().skip(Math.max(0, lines.size() - most)).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Every logger that has a level of its own. */
    List<LoggerLevel> levels() {
        Map<String, LoggerLevel> levels = new TreeMap<>();
        lock.lock();
        try {
            for (Logger logger : context.getLoggerList()) {
                Level level = logger.getLevel();
                if (level != null) {
                    Change change = changes.get(logger.getName());
                    levels.put(
                            logger.getName(),
                            new LoggerLevel(
                                    logger.getName(),
                                    level.toString().toLowerCase(Locale.ROOT),
                                    change == null ? Optional.empty() : change.until));
                }
            }
        } finally {
            lock.unlock();
        }
        return new ArrayList<>(levels.values());
    }

    /**
     * Changes a level.
     *
     * @param time after which it is again what it was; none means until the hub stops
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    public void change(String name, String level, Optional<Duration> time) {
        if (!name.matches("[\\w.$-]{1,200}")) {
            throw new IllegalArgumentException(
                    "The name of a logger is that of a package or class, such as"
                            + " dev.millrace.hub.http, or ROOT.");
        }
        Level wanted = parse(level);
        lock.lock();
        try {
            Logger logger = context.getLogger(name);
            Change earlier = changes.get(name);
            if (earlier == null && changes.size() >= MOST_CHANGES) {
                throw new IllegalArgumentException(
                        "The levels of %d loggers are changed already; change one above them instead."
                                .formatted(MOST_CHANGES));
            }
            Level before =
                    earlier != null && earlier.until.isPresent()
                            ? earlier.before
                            : logger.getLevel();
            Change change = new Change(before, time.map(clock.instant()::plus));
            changes.put(name, change);
            logger.setLevel(wanted);
            time.ifPresent(wait -> fallBackAfter(wait, logger, change));
        } finally {
            lock.unlock();
        }
    }

    private void fallBackAfter(Duration wait, Logger logger, Change change) {
        var _ =
                CompletableFuture.runAsync(
                        () -> fallBack(logger, change),
                        CompletableFuture.delayedExecutor(
                                wait.toMillis(),
                                TimeUnit.MILLISECONDS,
                                Thread::startVirtualThread));
    }

    private void fallBack(Logger logger, Change change) {
        lock.lock();
        try {
            // Somebody may have changed it again meanwhile; then that counts.
            if (change.equals(changes.get(logger.getName()))) {
                changes.remove(logger.getName());
                logger.setLevel(change.before);
            }
        } finally {
            lock.unlock();
        }
    }

    private static Level parse(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "off" -> Level.OFF;
            case "error" -> Level.ERROR;
            case "warn" -> Level.WARN;
            case "info" -> Level.INFO;
            case "debug" -> Level.DEBUG;
            case "trace" -> Level.TRACE;
            default ->
                    throw new IllegalArgumentException(
                            "'%s' is not a valid level; use off, error, warn, info, debug or trace."
                                    .formatted(word));
        };
    }
}
