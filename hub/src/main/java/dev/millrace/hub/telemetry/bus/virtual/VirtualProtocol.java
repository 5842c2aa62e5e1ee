package dev.millrace.hub.telemetry.bus.virtual;

import dev.millrace.hub.telemetry.bus.Device;
import dev.millrace.hub.telemetry.bus.Protocol;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.Optional;

/**
 * A simulator. A point of T or S shows a signal, {@code {"signal":"sine","min":0,"max":10}}, or
 * something of a part of a plant, {@code {"battery":"soc"}}; an order of C or A is remembered,
 * {@code {"initial":0}}, or does something to a part, {@code {"tank":"inlet"}}.
 *
 * <p>Parameters of a channel: {@code seed}, which the same signals follow from (its number, if it
 * is not said); {@code decimals} of what is shown, 2; {@code outage_every_s} and {@code outage_s},
 * how often and for how long the device is away; and {@code battery}, {@code tank}, {@code meter},
 * each an object, what those parts are like.
 */
public final class VirtualProtocol implements Protocol {
    private final InstantSource clock;

    public VirtualProtocol(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return "virtual";
    }

    @Override
    public Optional<String> mistake(ChannelConfiguration channel) {
        return Mappings.mistake(channel);
    }

    /** Another plant is another device. */
    @Override
    public Object connection(ChannelConfiguration channel) {
        var parameters = channel.parameters().deepCopy();
        if (parameters instanceof ObjectNode object) {
            object.remove("polling_interval_ms");
            object.remove("offline_after");
        }
        return parameters;
    }

    @Override
    public Device device(ChannelConfiguration channel) {
        return new VirtualDevice(channel, clock);
    }
}
