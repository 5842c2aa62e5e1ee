package dev.millrace.hub.alarms.kept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.Rooms;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

class WatchlistTest {
    private static final String HOME = "1";

    private Redis redis;
    private Keyspace keyspace;

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        redis = Redis.open(Patience.options(SharedServers.standalone().url()));
        keyspace = new Keyspace(redis, Rooms.catalogue());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private Watchlist read() {
        return new Watchlist(HOME, 0, List.of());
    }

    private Commit next(Watchlist list) {
        Commit commit = keyspace.commit(HOME);
        list.rely(commit, true);
        return commit;
    }

    @Test
    void what_is_built_on_a_commit_that_came_passes() {
        Watchlist list = read();
        Commit first = next(list);
        Commit second = next(list);
        assertThat(first.run()).isInstanceOf(Outcome.Done.class);
        assertThat(second.run()).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void what_is_built_on_a_commit_that_never_came_is_refused_however_much_others_do() {
        Watchlist list = read();
        next(list); // never runs
        Commit second = next(list);
        assertThat(next(read()).run()).isInstanceOf(Outcome.Done.class);
        assertThat(second.run()).isInstanceOf(Outcome.NotDone.class);
    }
}
