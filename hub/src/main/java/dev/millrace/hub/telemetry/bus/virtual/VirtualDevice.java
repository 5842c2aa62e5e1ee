package dev.millrace.hub.telemetry.bus.virtual;

import dev.millrace.hub.telemetry.bus.Connected;
import dev.millrace.hub.telemetry.bus.Device;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.hub.telemetry.bus.Poll;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A device that does not exist. */
final class VirtualDevice implements Device {
    private static final double MILLIS = 1000;
    private static final int STANDARD_DECIMALS = 2;
    private static final int MOST_DECIMALS = 9;

    private final InstantSource clock;
    private final long seed;
    private final int decimals;
    private final double outageEvery;
    private final double outage;

    /** One thing at a time, in the order of the asking. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private final CountDownLatch closed = new CountDownLatch(1);

    /** These under the lock. */
    private final Plant plant;

    private Map<PointDefinition, Shown> shown = Map.of();
    private Map<String, Mappings.Order> orders = Map.of();
    private boolean connected;

    private record Shown(PointType type, Signal signal) {}

    VirtualDevice(ChannelConfiguration channel, InstantSource clock) {
        JsonNode parameters = channel.parameters();
        this.clock = clock;
        this.seed = (long) Members.number(parameters, "seed", channel.id());
        this.decimals =
                Math.clamp(
                        (int) Members.number(parameters, "decimals", STANDARD_DECIMALS),
                        0,
                        MOST_DECIMALS);
        this.outageEvery = Members.number(parameters, "outage_every_s", 0);
        this.outage = Members.number(parameters, "outage_s", 0);
        this.plant = new Plant(parameters, seed);
        configure(channel);
    }

    @Override
    public void configure(ChannelConfiguration channel) {
        turn.lock();
        try {
            Map<PointDefinition, Shown> signals = new LinkedHashMap<>();
            Map<String, Mappings.Order> taken = new LinkedHashMap<>();
            for (PointType type : PointType.values()) {
                for (PointDefinition point : channel.points(type)) {
                    if (!point.isMapped()) {
                        continue;
                    }
                    if (type.isRead()) {
                        signals.put(
                                point, new Shown(type, Mappings.signal(plant, type, point, seed)));
                    } else {
                        Mappings.Order order = Mappings.order(plant, point);
                        taken.put(type.reference(point.point()), order);
                        order.initial().ifPresent(raw -> plant.initially(type, point.point(), raw));
                    }
                }
            }
            shown = signals;
            orders = taken;
        } finally {
            turn.unlock();
        }
    }

    private double seconds() {
        return clock.millis() / MILLIS;
    }

    /** At the end of each period, so that a device that has just been made is there. */
    private boolean away() {
        return outageEvery > 0 && seconds() % outageEvery >= outageEvery - outage;
    }

    @Override
    public Connected connect() {
        turn.lock();
        try {
            if (away()) {
                connected = false;
                return new Connected.Not("The device is away: a simulated outage.");
            }
            boolean before = connected;
            connected = true;
            return before ? new Connected.Already() : new Connected.Now();
        } finally {
            turn.unlock();
        }
    }

    @Override
    public Poll poll() {
        turn.lock();
        try {
            if (away()) {
                connected = false;
                return new Poll.Failed("The device has gone: a simulated outage.", true);
            }
            double now = seconds();
            plant.advance(now);
            List<Poll.Sample> samples = new ArrayList<>(shown.size());
            shown.forEach(
                    (point, what) ->
                            samples.add(
                                    new Poll.Sample(
                                            what.type(),
                                            point.point(),
                                            rounded(what.signal().at(now, plant)))));
            return new Poll.Answered(samples, List.of(), Optional.empty());
        } finally {
            turn.unlock();
        }
    }

    private double rounded(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_EVEN).doubleValue()
                : value;
    }

    @Override
    public Ordered write(PointType type, String point, double raw, Duration atMost)
            throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        if (!turn.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            return new Ordered.NotSent(
                    Ordered.Cause.LATE, "The device was busy until its time was over.");
        }
        try {
            Mappings.Order order = orders.get(type.reference(point));
            if (order == null) {
                return new Ordered.NotSent(
                        Ordered.Cause.UNKNOWN_POINT,
                        "The device has no point %s.".formatted(type.reference(point)));
            }
            if (!connected || away() || closed.getCount() == 0) {
                return new Ordered.NotSent(
                        Ordered.Cause.OFFLINE, "There is no connection to the device.");
            }
            if (order.answer().equals("refused")) {
                return new Ordered.Refused("REFUSED", "The device is configured to refuse it.");
            }
            plant.advance(seconds());
            plant.order(type, point, raw);
            if (!order.part().isEmpty()) {
                plant.part(order.part()).input(order.input(), raw);
            }
            return answer(order, raw, until);
        } finally {
            turn.unlock();
        }
    }

    /** It is done; perhaps somebody hears of it. */
    private Ordered answer(Mappings.Order order, double raw, long until) {
        boolean lost = order.answer().equals("lost");
        long left = until - System.nanoTime();
        long wait = lost ? left : TimeUnit.MILLISECONDS.toNanos(order.afterMillis());
        try {
            if (wait > 0 && closed.await(Math.min(wait, left), TimeUnit.NANOSECONDS)) {
                return new Ordered.Unknown("The connection was closed before an answer came.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Ordered.Unknown("The hub ended before an answer came.");
        }
        return lost || wait > left
                ? new Ordered.Unknown("No answer came in time.")
                : new Ordered.Done(OptionalDouble.of(raw));
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
