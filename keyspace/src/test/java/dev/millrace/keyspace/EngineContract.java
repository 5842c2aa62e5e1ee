package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.util.Set;

/**
 * The ground of every contract: a fresh keyspace on a real server or cluster, and after each test,
 * whatever it was about, a check that finds nothing.
 */
public abstract class EngineContract {
    protected final Site site;
    protected Redis redis;
    protected Keyspace keyspace;
    private boolean driftExpected;

    protected EngineContract(Site site) {
        this.site = site;
    }

    /** What the test registers. */
    protected abstract Catalogue catalogue();

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        redis = site.connect();
        keyspace = new Keyspace(redis, catalogue());
        driftExpected = false;
    }

    /** For tests that plant damage that stays. */
    protected void driftIsExpected() {
        driftExpected = true;
    }

    @AfterEach
    void nothingHasDrifted() {
        try {
            if (!driftExpected) {
                assertThat(keyspace.check().run().findings()).isEmpty();
            }
        } finally {
            redis.close();
        }
    }

    protected static <T> T done(Outcome<T> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        return outcome.orThrow();
    }

    protected static void notDone(Reason reason, Outcome<?> outcome) {
        assertThat(outcome).as("not done: " + reason).matches(each -> each.failedBy(reason));
    }

    /** Every key there is, with its shard's prefix. */
    protected Set<String> allKeys() {
        return site.allKeys();
    }

    /** The name under which a key of this owner really lies in Redis. */
    protected String fullKey(String owner, String key) {
        return keyspace.ground().shards().place(owner).prefix() + key;
    }

    /** A raw command on a key of this owner, beside the engine. */
    protected @Nullable Object raw(String owner, String command, String key, String... more) {
        String full = fullKey(owner, key);
        String[] words = new String[2 + more.length];
        words[0] = command;
        words[1] = full;
        System.arraycopy(more, 0, words, 2, more.length);
        return site.command(full, words);
    }
}
