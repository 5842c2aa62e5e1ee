package dev.millrace.hub.work;

import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Some hubs of one site, each with its own connection. */
abstract class WorkContract {
    @Parameter Site site;

    record Thing(String id, String owner, long created, String body) {}

    static final Layout<Thing> THINGS =
            Layout.json("thing:{id:id}", Thing.class)
                    .ownedBy("owner")
                    .kind("things")
                    .sorted("things", 0)
                    .sorted("things:created", Thing::created);

    static final Catalogue CATALOGUE = Keyspace.catalogue(THINGS);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    String url() {
        return site.url();
    }

    @BeforeEach
    void empty() {
        String url = url();
        SharedServers.flushAll();
        assert !url.isEmpty();
    }

    Redis redis() {
        return opened(Redis.open(Patience.options(url())));
    }

    Keyspace hub() {
        return new Keyspace(redis(), CATALOGUE);
    }

    <T extends AutoCloseable> T opened(T part) {
        opened.push(part);
        return part;
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** As long as a very slow machine may take. */
    static ConditionFactory eventually() {
        return await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(20));
    }
}
