package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.bus.HeldChannel;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.schedule.Lease;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A device that notes what it is ordered, and does what the test says; held by a real lease. */
final class TestDevice implements HeldChannel {
    static final Duration LEASE = Duration.ofMinutes(2);

    private final int channel;
    private final Lease lease;
    private final List<String> ordered = new CopyOnWriteArrayList<>();
    private volatile Runnable entering = () -> {};
    private volatile Function<String, Ordered> answer = order -> done();

    TestDevice(Keyspace keyspace, int channel, String holder) {
        this(keyspace, channel, holder, LEASE);
    }

    TestDevice(Keyspace keyspace, int channel, String holder, Duration time) {
        this.channel = channel;
        this.lease = keyspace.lease("channel-" + channel, holder, time);
    }

    static Ordered done() {
        return new Ordered.Done(OptionalDouble.empty());
    }

    /** What it answers to an order such as {@code C 201=1}. */
    void answering(Function<String, Ordered> newAnswer) {
        answer = newAnswer;
    }

    /** What happens when the hub has turned to it and it has not heard anything yet. */
    void entering(Runnable what) {
        entering = what;
    }

    /** What it was ordered, in order. */
    List<String> ordered() {
        return ordered;
    }

    boolean take() {
        return lease.take();
    }

    void release() {
        lease.release();
    }

    @Override
    public int channel() {
        return channel;
    }

    @Override
    public boolean held() {
        return lease.held();
    }

    @Override
    public Addition fence() {
        return lease.guard();
    }

    @Override
    public Ordered write(PointType type, String point, double value, Duration atMost) {
        entering.run();
        if (!held()) {
            return new Ordered.NotSent(Ordered.Cause.OFFLINE, "not held");
        }
        String order =
                "%s %s=%s"
                        .formatted(
                                type,
                                point,
                                value == (long) value ? "" + (long) value : "" + value);
        ordered.add(order);
        return answer.apply(order);
    }
}
