package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class AuditTest {
    private static final Actor ANNA = new Actor("anna", "10.0.0.5");

    private TestServer server;
    private Redis redis;
    private Audit audit;

    @BeforeEach
    void open() {
        server = SharedServers.standalone();
        SharedServers.flushAll();
        redis = Redis.open(Patience.options(server.url()));
        audit = new Audit(new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all())));
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private List<String> latest(int most) {
        return audit.latest(most).stream().map(Audit.Entry::about).toList();
    }

    @Test
    void an_empty_audit_has_no_entries() {
        assertThat(audit.latest(10)).isEmpty();
    }

    @Test
    void the_newest_come_first_with_the_time_of_the_server() {
        Instant before = Instant.now().minusSeconds(60);
        for (int i = 1; i <= 5; i++) {
            audit.record(ANNA, "log level changed", "entry " + i, "done").orThrow();
        }
        assertThat(latest(3)).containsExactly("entry 5", "entry 4", "entry 3");
        assertThat(latest(100)).hasSize(5);
        Audit.Entry newest = audit.latest(1).getFirst();
        assertThat(newest.at()).isAfter(before);
        assertThat(newest)
                .isEqualTo(
                        new Audit.Entry(
                                newest.at(),
                                "anna",
                                "10.0.0.5",
                                "log level changed",
                                "entry 5",
                                "done"));
    }

    @Test
    void what_was_dropped_is_not_asked_for() {
        for (int i = 1; i <= 50; i++) {
            audit.record(ANNA, "x", "entry " + i, "done").orThrow();
        }
        server.command("XTRIM", "millrace:feed:audit", "MAXLEN", "=", "7");
        assertThat(latest(1000)).hasSize(7).startsWith("entry 50").endsWith("entry 44");
        assertThat(latest(5)).hasSize(5);
    }

    @Test
    void long_texts_are_cut_and_strange_ones_kept() {
        audit.record(ANNA, "x", "a".repeat(100_000), "\"\n\0é").orThrow();
        Audit.Entry entry = audit.latest(1).getFirst();
        assertThat(entry.about()).hasSizeLessThan(600);
        assertThat(entry.result()).isEqualTo("\"\n\0é");
    }

    @Test
    void an_entry_of_another_version_is_left_out() {
        audit.record(ANNA, "x", "one", "done").orThrow();
        server.command("XADD", "millrace:feed:audit", "2-1", "f", "not json");
        server.command("HSET", "millrace:feed-state:audit", "seq", "2");
        assertThat(latest(10)).containsExactly("one");
    }
}
