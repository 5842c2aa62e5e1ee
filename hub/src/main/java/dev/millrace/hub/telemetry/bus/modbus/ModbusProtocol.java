package dev.millrace.hub.telemetry.bus.modbus;

import dev.millrace.hub.telemetry.bus.Device;
import dev.millrace.hub.telemetry.bus.Protocol;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointType;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Modbus TCP. A channel says {@code host}, {@code port}, {@code slave_id}, {@code timeout_ms},
 * {@code max_gap} and {@code max_block}; the mapping of a point {@code slave_id}, {@code
 * function_code}, {@code register_address}, {@code data_type}, {@code byte_order}, {@code
 * bit_position} and {@code bit_length}.
 */
public final class ModbusProtocol implements Protocol {
    @Override
    public String name() {
        return "modbus_tcp";
    }

    @Override
    public Optional<String> mistake(ChannelConfiguration channel) {
        if (!channel.isMapped()) {
            return Optional.empty();
        }
        try {
            spots(channel, Parameters.of(channel.parameters()));
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Object connection(ChannelConfiguration channel) {
        return Parameters.of(channel.parameters());
    }

    @Override
    public Device device(ChannelConfiguration channel) {
        return new ModbusDevice(channel, Parameters.of(channel.parameters()));
    }

    /**
     * Where the device has the points of a channel.
     *
     * @throws IllegalArgumentException with a sentence
     */
    static List<Spot> spots(ChannelConfiguration channel, Parameters parameters) {
        List<Spot> spots = new ArrayList<>();
        for (PointType type : PointType.values()) {
            for (PointDefinition point : channel.points(type)) {
                if (point.isMapped()) {
                    try {
                        spots.add(Spot.of(type, point, parameters.unit()));
                    } catch (IllegalArgumentException e) {
                        throw new IllegalArgumentException(
                                "points.%s, point %s: %s"
                                        .formatted(type, point.point(), e.getMessage()),
                                e);
                    }
                }
            }
        }
        return spots;
    }
}
