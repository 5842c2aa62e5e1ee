package dev.millrace.hub.telemetry.commands;

import static org.awaitility.Awaitility.await;

import dev.millrace.hub.Rooms;
import dev.millrace.hub.access.Actor;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.site.SiteKeys;
import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import tools.jackson.databind.node.ObjectNode;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** As much of a hub as commands need: a desk, and channels that the test makes. */
final class CommandHub implements AutoCloseable {
    static final Actor ANN = new Actor("ann", "10.0.0.7");

    static final CommandSettings SETTINGS =
            new CommandSettings(
                    Duration.ofSeconds(30),
                    Duration.ofHours(1),
                    Duration.ofMinutes(10),
                    Duration.ofHours(24));

    private static final String POINTS =
            """
            {"protocol":"virtual","points":{
              "T":[{"point_id":101}],
              "C":[{"point_id":201},{"point_id":7}],
              "A":[{"point_id":301,"min_value":-10,"max_value":50.5},{"point_id":7}]}}
            """;

    final Redis redis;
    final Keyspace keyspace;
    final CommandDesk desk;
    private final Site site = new SiteKeys();
    private final ChannelBook channels;

    CommandHub(String url) {
        this(url, SETTINGS, Clock.systemUTC());
    }

    CommandHub(String url, CommandSettings settings, InstantSource clock) {
        this(url, settings, clock, (after, commit) -> {});
    }

    CommandHub(String url, CommandSettings settings, InstantSource clock, Companion companion) {
        redis = Redis.open(Patience.options(url));
        keyspace = new Keyspace(redis, Rooms.catalogue());
        channels = ChannelBook.open(keyspace, site);
        desk = new CommandDesk(site, "telemetry");
        desk.companion(companion);
        desk.start(keyspace, channels, settings, new SimpleMeterRegistry(), clock);
    }

    /** Configures a channel with a few points to order. */
    void channel(int id) {
        ObjectNode document = (ObjectNode) Json.MAPPER.readTree(POINTS);
        if (keyspace.store(TelemetryLayouts.CHANNELS).get(Integer.toString(id)).isEmpty()) {
            Commit commit = keyspace.commitAtSite();
            site.change(
                    commit,
                    site.version(keyspace),
                    new Site.Change("config:channel:1", Optional.empty(), Optional.empty(), "test"),
                    Instant.now());
            commit.create(TelemetryLayouts.CHANNELS, new ChannelConfiguration(id, document))
                    .run()
                    .orThrow();
        }
        channels.look();
        await().until(() -> channels.get(id).isPresent());
    }

    void online(int id, boolean online) {
        keyspace.commit(Integer.toString(id))
                .setFields(
                        TelemetryLayouts.STATUS.at(Integer.toString(id)),
                        Map.of("online", "" + online))
                .run()
                .orThrow();
    }

    /** Makes a channel whose device is there and held here. */
    TestDevice held(int id) {
        TestDevice device = prepared(id);
        desk.holding().begin(device);
        return device;
    }

    /** The same before commands are executed. */
    TestDevice prepared(int id) {
        channel(id);
        online(id, true);
        TestDevice device = new TestDevice(keyspace, id, "hub-" + UUID.randomUUID());
        if (!device.take()) {
            throw new IllegalStateException("Somebody holds channel " + id);
        }
        return device;
    }

    Command given(Order order) {
        return switch (desk.submit(order)) {
            case Submitted.Accepted(Command command) -> command;
            case Submitted.Before(Command command) ->
                    throw new AssertionError("given before: " + command);
            case Submitted.Not(var why) -> throw new AssertionError(why.toString());
        };
    }

    Command given(int channel, String point, String value) {
        return given(Order.of(channel, point, value, ANN));
    }

    Command now(Command command) {
        return desk.find(command.channel(), command.id()).orElseThrow();
    }

    boolean ended(Command command) {
        return now(command).ended();
    }

    @Override
    public void close() {
        desk.close();
        channels.close();
        redis.close();
    }
}
