package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.NewValues;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.work.BackOff;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.schedule.Lease;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Talks to one device, as long as this hub holds its channel: connects, polls, and tells the
 * journal; passes on what others order. Polls keep to a grid of the clock, so that those of many
 * channels are stored together; one that takes longer than its time leaves out what it has missed.
 */
final class Driver implements HeldChannel {
    /** So many polls without a value, and the channel is not in order. */
    private static final int ENOUGH = 5;

    private static final long STANDARD_POLL_MILLIS = 1000;
    private static final long SHORTEST_POLL_MILLIS = 10;
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration END_WITHIN = Duration.ofSeconds(5);
    private static final BackOff BACK_OFF =
            BackOff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(30)).spread(0.2, 0.2);
    private static final Logger log = LoggerFactory.getLogger(Driver.class);

    private final Lease lease;
    private final Journal journal;
    private final InstantSource clock;
    private final Optional<Device> device;
    private final Counts counts;
    private final Bell bell = new Bell();
    private final Thread thread;
    private volatile ChannelConfiguration configuration;
    private volatile boolean changed;
    private volatile boolean ending;

    /** Empty while it is heard of; of the driver's thread alone, until that has ended. */
    private Optional<Journal.Down> down = Optional.empty();

    private boolean told;
    private int failures;
    private int refusals;

    /** Of a channel whose lease is held. */
    Driver(
            Protocol protocol,
            ChannelConfiguration configuration,
            Lease lease,
            Journal journal,
            InstantSource clock) {
        this.configuration = configuration;
        this.lease = lease;
        this.journal = journal;
        this.clock = clock;
        this.counts = new Counts(clock);
        Optional<String> mistake = protocol.mistake(configuration);
        this.device =
                mistake.isPresent()
                        ? Optional.empty()
                        : Optional.of(protocol.device(configuration));
        this.thread =
                Thread.ofVirtual()
                        .name("channel-" + configuration.id())
                        .unstarted(
                                () ->
                                        mistake.ifPresentOrElse(
                                                this::cannot, () -> drive(device.orElseThrow())));
    }

    void start() {
        thread.start();
    }

    @Override
    public int channel() {
        return configuration.id();
    }

    @Override
    public boolean held() {
        return !ending && lease.held();
    }

    @Override
    public Addition fence() {
        return lease.guard();
    }

    /** Of the same connection. */
    void configure(ChannelConfiguration now) {
        configuration = now;
        changed = true;
        bell.ring();
    }

    // ---------------------------------------------------------------- reading

    private void cannot(String mistake) {
        counts.error(mistake);
        fall(Journal.Down.ERROR, mistake);
        try {
            while (held()) {
                bell.await(LONG);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void drive(Device asked) {
        try {
            while (held()) {
                Duration rest;
                try {
                    if (changed) {
                        changed = false;
                        asked.configure(configuration);
                    }
                    rest = step(asked);
                } catch (RuntimeException e) {
                    log.error("A channel has failed. channel={}", channel(), e);
                    counts.error(String.valueOf(e));
                    fall(Journal.Down.ERROR, String.valueOf(e));
                    rest = BACK_OFF.after(refusals++);
                }
                bell.await(rest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it polls no more, although nobody has told it so: its lease was over for a while. */
    boolean isOver() {
        return !thread.isAlive();
    }

    /** How long to wait after it. */
    private Duration step(Device asked) throws InterruptedException {
        switch (asked.connect()) {
            case Connected.Not(String why) -> {
                counts.error(why);
                fall(Journal.Down.OFFLINE, why);
                return BACK_OFF.after(refusals++);
            }
            case Connected.Now() -> counts.connected();
            case Connected.Already() -> {}
        }
        if (!held()) {
            return Duration.ZERO;
        }
        long began = System.nanoTime();
        Poll poll = asked.poll();
        counts.took(System.nanoTime() - began);
        return switch (poll) {
            case Poll.Answered answered -> {
                answered(answered);
                yield untilNext();
            }
            case Poll.Failed(String why, boolean lost) -> {
                counts.error(why);
                failures++;
                if (lost) {
                    fall(Journal.Down.OFFLINE, why);
                    yield BACK_OFF.after(refusals++);
                }
                if (failures >= ENOUGH && down.isEmpty()) {
                    fall(Journal.Down.ERROR, why);
                } else if (held()) {
                    journal.tally(this, counts.tally());
                }
                yield untilNext();
            }
        };
    }

    private void answered(Poll.Answered answered) {
        failures = 0;
        refusals = 0;
        answered.trouble().ifPresentOrElse(counts::error, counts::success);
        if (down.isPresent() || !told) {
            log.info("A device answers. channel={} name={}", channel(), configuration.name());
        }
        down = Optional.empty();
        told = true;
        if (held()) {
            journal.heard(this, heard(answered), counts.tally());
        }
    }

    private void fall(Journal.Down how, String why) {
        if (!down.equals(Optional.of(how))) {
            log.warn(
                    "Nothing is heard of a device. channel={} name={} state={} reason={}",
                    channel(),
                    configuration.name(),
                    how,
                    why);
        }
        down = Optional.of(how);
        told = true;
        if (held()) {
            journal.down(this, how, counts.tally());
        }
    }

    private Duration untilNext() {
        long millis =
                configuration.parameters().path("polling_interval_ms").asLong(STANDARD_POLL_MILLIS);
        long interval = Duration.ofMillis(Math.max(SHORTEST_POLL_MILLIS, millis)).toNanos();
        long now = System.nanoTime();
        return Duration.ofNanos(interval - Math.floorMod(now, interval));
    }

    private Heard heard(Poll.Answered answered) {
        ChannelConfiguration points = configuration;
        Map<PointType, NewValues> values = new EnumMap<>(PointType.class);
        Map<PointType, Set<String>> missed = new EnumMap<>(PointType.class);
        long now = clock.millis();
        for (Poll.Sample each : answered.samples()) {
            Optional<PointDefinition> point = points.point(each.type(), each.point());
            if (point.isEmpty()) {
                // It was read while its definition was taken away.
                continue;
            }
            double number = point.get().conversion().engineering(each.type(), each.raw());
            if (Double.isFinite(number)) {
                boolean exact = !each.exact().isEmpty() && number == each.raw();
                values.computeIfAbsent(each.type(), type -> NewValues.measuredAt(now))
                        .measured(
                                each.point(),
                                exact ? each.exact() : NumberText.shortest(number),
                                number);
            } else {
                missed.computeIfAbsent(each.type(), type -> new HashSet<>()).add(each.point());
            }
        }
        for (Poll.Missed each : answered.missed()) {
            missed.computeIfAbsent(each.type(), type -> new HashSet<>()).add(each.point());
        }
        return new Heard(values, missed);
    }

    // ---------------------------------------------------------------- ordering

    @Override
    public Ordered write(PointType type, String point, double value, Duration atMost)
            throws InterruptedException {
        if (!held()) {
            return new Ordered.NotSent(
                    Ordered.Cause.OFFLINE, "This hub does not hold the channel any more.");
        }
        if (device.isEmpty()) {
            return new Ordered.NotSent(
                    Ordered.Cause.OFFLINE, "The configuration of the channel cannot be used.");
        }
        Optional<PointDefinition> known =
                configuration.point(type, point).filter(PointDefinition::isMapped);
        if (known.isEmpty()) {
            return new Ordered.NotSent(
                    Ordered.Cause.UNKNOWN_POINT,
                    "Point %s is not mapped to the device.".formatted(type.reference(point)));
        }
        PointDefinition definition = known.get();
        double raw = definition.conversion().raw(type, value);
        if (!definition.believes(value) || !Double.isFinite(raw)) {
            return new Ordered.NotSent(
                    Ordered.Cause.OUT_OF_RANGE, "The value is outside the limits of the point.");
        }
        return switch (device.get().write(type, point, raw, atMost)) {
            case Ordered.Done(OptionalDouble actual) ->
                    new Ordered.Done(
                            actual.isEmpty()
                                    ? actual
                                    : OptionalDouble.of(
                                            definition
                                                    .conversion()
                                                    .engineering(type, actual.getAsDouble())));
            case Ordered.Refused refused -> refused;
            case Ordered.NotSent not -> not;
            case Ordered.Unknown unknown -> unknown;
        };
    }

    // ---------------------------------------------------------------- ending

    /** After its end, where nobody else goes on: the channel is offline from now on. */
    void tellStopped() {
        if (lease.held()) {
            journal.down(this, Journal.Down.OFFLINE, counts.tally());
        }
    }

    /** No poll begins any more, and nothing more can be ordered. */
    void stopPolling() {
        ending = true;
        bell.ring();
    }

    /** Ends the connection, and waits until nothing is done with it any more. */
    void end() {
        stopPolling();
        device.ifPresent(Device::close);
        thread.interrupt();
        try {
            if (!thread.join(END_WITHIN)) {
                log.warn("A device does not let go and was left behind. channel={}", channel());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
