package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.telemetry.kept.PointType;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Points of one channel and type that have got other values, by one write. Every client that wants
 * just that shares its text, which the first of them makes.
 */
final class Change {
    private final LiveChannel channel;
    private final PointType type;
    private final long version;
    private final List<Step> steps;
    private volatile @Nullable String update;
    private volatile @Nullable String delta;

    /**
     * What became of a point.
     *
     * @param before null if it had no value
     */
    record Step(@Nullable PointValue before, PointValue now) {}

    Change(LiveChannel channel, PointType type, long version, List<Step> steps) {
        this.channel = channel;
        this.type = type;
        this.version = version;
        this.steps = steps;
    }

    LiveChannel channel() {
        return channel;
    }

    PointType type() {
        return type;
    }

    /** The number of this change among all of its channel. */
    long version() {
        return version;
    }

    List<Step> steps() {
        return steps;
    }

    /** The data of a {@code data_update}. */
    String update() {
        String known = update;
        if (known == null) {
            known = Wording.update(channel.id(), type, steps.stream().map(Step::now).toList());
            update = known;
        }
        return known;
    }

    /** The data of a {@code delta_update}. */
    String delta() {
        String known = delta;
        if (known == null) {
            known = Wording.delta(channel.id(), type, steps);
            delta = known;
        }
        return known;
    }
}
