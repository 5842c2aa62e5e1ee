package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Tank;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.schedule.Lease;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/** Whoever is to empty a full server must be able to find out that it may. */
final class LeaseOnFullServerTest {

    @Test
    void a_lease_is_taken_used_and_given_back() {
        Duration patient = Duration.ofSeconds(60);
        try (TestServer server = TestServer.start("maxmemory-policy noeviction");
                Redis redis =
                        Redis.open(RedisOptions.of(server.url()).withTimes(patient, patient))) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            Store<Tank> tanks = keyspace.store(Plant.TANKS);
            Stored<Tank> tank = tanks.create(new Tank("t1", 1)).orThrow();
            server.command("CONFIG", "SET", "maxmemory", "1");
            Lease lease = keyspace.lease("sweep", "one", patient);
            assertThat(lease.take()).isTrue();
            assertThat(
                            keyspace.commit("t1")
                                    .delete(Plant.TANKS, tank)
                                    .with(lease.guard())
                                    .run()
                                    .isDone())
                    .isTrue();
            lease.release();
            assertThat(keyspace.lease("sweep", "two", patient).take()).isTrue();
        }
    }
}
