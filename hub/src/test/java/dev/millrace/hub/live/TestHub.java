package dev.millrace.hub.live;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.http.server.WebServer;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A hub with nothing but live feeds. */
final class TestHub implements AutoCloseable {
    static final LiveSettings SETTINGS =
            new LiveSettings(100, Duration.ofSeconds(15), Duration.ofSeconds(60), 4096);

    final Redis redis;
    final Keyspace keyspace;
    final Access access;
    final SimpleMeterRegistry figures = new SimpleMeterRegistry();
    private final Live live;
    private final WebServer server;

    TestHub(String redisUrl, LiveSettings settings, AccessSettings.Mode mode, LiveFeed... feeds) {
        redis = Redis.open(Patience.options(redisUrl));
        keyspace = new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all()));
        access = Access.open(keyspace, AccessSettings.defaults().withMode(mode));
        live = Live.open(keyspace, access.gate(), settings, figures, List.of(feeds));
        HttpSettings http =
                HttpSettings.BLOCK.read(
                        SettingsSources.read(
                                new Keys(List.of(HttpSettings.BLOCK.keys())),
                                Optional.empty(),
                                List.of("http.port=0"),
                                Map.of()));
        RouteTable table = new RouteTable(live.routes(), new Owners(Owner.own("hub")));
        server = WebServer.start(http, table, access.gate(), figures);
    }

    String url() {
        return server.url();
    }

    int port() {
        return server.port();
    }

    double figure(String name) {
        return figures.get(name).meter().measure().iterator().next().getValue();
    }

    void write(Topic topic, String owner, String json) {
        keyspace.commit(owner)
                .with(keyspace.feed(topic).fact(json.getBytes(StandardCharsets.UTF_8)))
                .run()
                .orThrow();
    }

    @Override
    public void close() {
        server.close();
        live.close();
        access.close();
        redis.close();
    }
}
