package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.telemetry.kept.ChannelConfiguration;

import java.util.List;
import java.util.Optional;

/** The protocols that are spoken here. Immutable. */
public record Spoken(List<Protocol> protocols) {
    /** None of them. */
    public static final Spoken NONE = new Spoken(List.of());

    public Spoken {
        protocols = List.copyOf(protocols);
    }

    private Optional<Protocol> of(ChannelConfiguration channel) {
        return protocols.stream()
                .filter(each -> each.name().equals(channel.protocol()))
                .findFirst();
    }

    /** The protocol of a channel, if there is anything to talk about with its device. */
    public Optional<Protocol> forDevice(ChannelConfiguration channel) {
        return channel.isMapped() ? of(channel) : Optional.empty();
    }

    /** Whether a hub talks to the device of this channel, unless it is disabled or stopped. */
    public boolean isPolled(ChannelConfiguration channel) {
        return forDevice(channel).isPresent();
    }

    /** What is wrong with a configuration, in a sentence; empty if nothing is. */
    public Optional<String> mistake(ChannelConfiguration channel) {
        return of(channel).flatMap(each -> each.mistake(channel));
    }
}
