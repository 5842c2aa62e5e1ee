package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.live.Pass;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Topic;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all clients of {@code /ws} share. Opened before the server, closed after it. Thread-safe.
 */
public final class Realtime implements AutoCloseable {
    static final String ROOM = TelemetryLayouts.ROOM;
    static final Door POINTS_DOOR = Door.of(Role.VIEWER, ROOM);

    private static final Duration TICK = Duration.ofSeconds(1);

    /** Whoever joins wakes it. */
    private static final Duration NOBODY = Duration.ofHours(1);

    private final Gate gate;
    private final RealtimeSettings settings;
    private final RealtimeFigures figures;
    private final Wording wording;
    private final InstantSource clock;
    private final StoredValues stored;
    private final Watch watch;
    private final Controlling controlling;
    private final Bygones bygones;
    private final Map<String, LogTail> tails = new LinkedHashMap<>();
    private final Map<Executor, Crowd> crowds = new ConcurrentHashMap<>();
    private final AtomicLong clientNumber = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Bell joined = new Bell();
    private final ScheduledThreadPoolExecutor timers;

    /**
     * The way to devices.
     *
     * @param topic in which each step of a command is told
     */
    public record Orders(Commands commands, Topic topic) {}

    private Realtime(
            Keyspace keyspace,
            Topic topic,
            StoredValues stored,
            Orders orders,
            List<Announcements> sources,
            Bygones bygones,
            Gate gate,
            RealtimeSettings settings,
            MeterRegistry registry,
            InstantSource clock) {
        this.gate = gate;
        this.bygones = bygones;
        this.settings = settings;
        this.figures = new RealtimeFigures(registry);
        this.wording = new Wording(clock);
        this.clock = clock;
        this.stored = stored;
        this.watch = new Watch(keyspace.feed(topic), stored, this::changed);
        this.controlling = new Controlling(orders.commands, keyspace.feed(orders.topic), clock);
        for (Announcements each : sources) {
            tails.put(each.source(), new LogTail(keyspace, each, new Telling()));
        }
        this.timers =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("realtime-timers").factory());
        timers.setRemoveOnCancelPolicy(true);
        timers.setKeepAliveTime(1, TimeUnit.SECONDS);
        timers.allowCoreThreadTimeOut(true);
    }

    /**
     * Opens it; nothing is read as long as nobody is connected.
     *
     * @param topic of the values of points
     * @param orders where clients give orders
     * @param sources what else is told
     * @param bygones where they ask for the past
     */
    public static Realtime open(
            Keyspace keyspace,
            Topic topic,
            StoredValues stored,
            Orders orders,
            List<Announcements> sources,
            Bygones bygones,
            Gate gate,
            RealtimeSettings settings,
            MeterRegistry registry,
            InstantSource clock) {
        Realtime realtime =
                new Realtime(
                        keyspace, topic, stored, orders, sources, bygones, gate, settings, registry,
                        clock);
        Thread.ofVirtual().name("realtime-clock").start(realtime::tick);
        return realtime;
    }

    RealtimeSettings settings() {
        return settings;
    }

    RealtimeFigures figures() {
        return figures;
    }

    Wording wording() {
        return wording;
    }

    InstantSource clock() {
        return clock;
    }

    Controlling controlling() {
        return controlling;
    }

    Bygones bygones() {
        return bygones;
    }

    Watch watch() {
        return watch;
    }

    StoredValues stored() {
        return stored;
    }

    Gate gate() {
        return gate;
    }

    Optional<LogTail> tail(String source) {
        return Optional.ofNullable(tails.get(source));
    }

    List<String> sources() {
        return List.copyOf(tails.keySet());
    }

    // ------------------------------------------------------------------ clients

    Crowd crowd(Executor loop) {
        return crowds.computeIfAbsent(loop, each -> new Crowd(each, this::after));
    }

    private void after(long nanos, Runnable step) {
        try {
            var _ = timers.schedule(step, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // It is closed, and nobody is connected any more.
        }
    }

    /** Counts a client in; false if there are too many. */
    boolean countIn() {
        joined.ring();
        if (figures.joined() > settings.maxClients()) {
            figures.left();
            return false;
        }
        return true;
    }

    void left() {
        figures.left();
    }

    String nextClient() {
        return "ws" + clientNumber.incrementAndGet();
    }

    /** Whether it opens any of the doors here, and if none, why; may wait for Redis. */
    Decision admit(Pass pass) {
        Decision first = pass.admit(POINTS_DOOR);
        if (first instanceof Decision.Forbidden) {
            for (LogTail each : tails.values()) {
                Decision other = pass.admit(each.source().door());
                if (other instanceof Decision.Admitted) {
                    return other;
                }
            }
            Decision last = pass.admit(bygones.door());
            if (last instanceof Decision.Admitted) {
                return last;
            }
        }
        return first;
    }

    boolean stillOpens(Pass pass) {
        return pass.stillOpens(POINTS_DOOR)
                || pass.stillOpens(bygones.door())
                || tails.values().stream().anyMatch(each -> pass.stillOpens(each.source().door()));
    }

    private void tick() {
        try {
            while (!closed.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                crowds.values().forEach(crowd -> crowd.put(crowd::tick));
                if (figures.clients() == 0) {
                    joined.await(NOBODY);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ------------------------------------------------------------------ what is told

    private void changed(Change change) {
        each(crowd -> crowd.tell(() -> crowd.hear(change)));
    }

    private final class Telling implements LogTail.Telling {
        @Override
        public void told(Announcements source, List<LogTail.Listed> news) {
            for (LogTail.Listed each : news) {
                Announced announced = announced(each);
                if (announced != null) {
                    each(
                            crowd ->
                                    crowd.tell(
                                            () ->
                                                    crowd.each(
                                                            client ->
                                                                    client.hear(
                                                                            source.source(),
                                                                            announced))));
                }
            }
        }

        @Override
        public void missed(Announcements source, long count) {
            String text =
                    wording.message("gap", Map.of("source", source.source(), "missed", count));
            each(
                    crowd ->
                            crowd.tell(
                                    () ->
                                            crowd.each(
                                                    client -> {
                                                        if (client.listensTo(source.source())) {
                                                            client.tell(text);
                                                        }
                                                    })));
        }
    }

    @Nullable Announced announced(LogTail.Listed listed) {
        return listed.announcement()
                .map(what -> new Announced(wording, what, listed.number(), listed.log()))
                .orElse(null);
    }

    private interface Step {
        void at(Crowd crowd) throws InterruptedException;
    }

    private void each(Step step) {
        try {
            for (Crowd crowd : crowds.values()) {
                step.at(crowd);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        joined.ring();
        watch.close();
        controlling.close();
        tails.values().forEach(LogTail::close);
        timers.shutdownNow();
    }
}
