package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;

import java.util.List;

/** One life of one entity, on a single server and on a cluster, among all layouts of the hub. */
public final class RoundTrip {
    private RoundTrip() {}

    public static <E> void of(Layout<E> layout, String id, E entity, E changed) {
        for (String url :
                List.of(SharedServers.standalone().url(), SharedServers.cluster().url())) {
            SharedServers.flushAll();
            try (Redis redis = Redis.open(Patience.options(url))) {
                Keyspace keyspace = new Keyspace(redis, Rooms.catalogue());
                Store<E> store = keyspace.store(layout);
                store.create(entity).orThrow();
                assertThat(store.get(id).orElseThrow().value()).isEqualTo(entity);
                store.replace(store.get(id).orElseThrow(), changed).orThrow();
                assertThat(store.get(id).orElseThrow().value()).isEqualTo(changed);
                CheckReport report = keyspace.check().run();
                assertThat(report.findings()).isEmpty();
                assertThat(report.values()).isEqualTo(1);
                assertThat(report.unknown()).isZero();
                store.delete(id).orThrow();
                assertThat(keyspace.census(Pace.FULL, seen -> {}).total()).isZero();
            }
        }
    }
}
