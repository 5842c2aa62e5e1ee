package dev.millrace.hub.house;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.settings.Block;
import dev.millrace.keyspace.Keyspace;

import io.micrometer.core.instrument.MeterRegistry;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.BiConsumer;

/**
 * What every room is given.
 *
 * @param version of this hub
 * @param dataDir below which a room may keep files of its own
 * @param figures where what is counted is registered
 * @param gate who may do what
 * @param mqtt the broker, if there is one
 * @param outside the way to other servers by HTTP
 * @param levels changes from which level on a logger shows lines
 */
public record House(
        String version,
        Path dataDir,
        Keyspace keyspace,
        Chosen settings,
        MeterRegistry figures,
        InstantSource clock,
        Gate gate,
        Mqtt mqtt,
        Outside outside,
        BiConsumer<String, String> levels) {

    /** The settings of one room. */
    public <S> S settings(Block<S> block) {
        return settings.of(block);
    }
}
