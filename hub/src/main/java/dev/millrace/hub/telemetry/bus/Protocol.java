package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.telemetry.kept.ChannelConfiguration;

import java.util.Optional;

/**
 * A way to talk to devices. All that are spoken here stand in one list, in {@code Telemetry}; a new
 * one is a class, a {@link Device} and a line there. Thread-safe.
 */
public interface Protocol {
    /** As the index of channels spells it. */
    String name();

    /** What is wrong with a configuration, in a sentence; empty if a device can be made of it. */
    Optional<String> mistake(ChannelConfiguration channel);

    /**
     * What a connection is made of. A configuration with another one needs a new device, all else
     * is changed while it runs.
     */
    Object connection(ChannelConfiguration channel);

    /** The device of a configuration without a mistake. It is not connected yet. */
    Device device(ChannelConfiguration channel);
}
