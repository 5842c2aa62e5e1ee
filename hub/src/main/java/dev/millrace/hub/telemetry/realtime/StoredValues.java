package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.telemetry.kept.PointType;

import java.util.List;
import java.util.Optional;

/** Values of points as they are stored now. Each call waits for Redis. */
public interface StoredValues {
    /** All of one type; none if there is no such channel. */
    List<PointValue> all(int channel, PointType type);

    /** Whether somebody has configured the channel, or it has values. */
    boolean exists(int channel);

    /** What the channel is called, if it is configured. */
    Optional<String> name(int channel);

    /** The configured channels of these devices and areas. */
    List<Integer> channelsOf(List<String> devices, List<String> areas);
}
