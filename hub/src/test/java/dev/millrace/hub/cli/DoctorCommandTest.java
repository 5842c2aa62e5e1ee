package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** {@code doctor} as a person runs it. */
class DoctorCommandTest {
    @TempDir private Path directory;

    @Test
    void before_the_first_run_there_is_nothing_to_look_at() {
        Ended ended = Millrace.run(directory, "doctor");
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith("There is nothing to look at yet:");
        assertThat(directory.resolve("data")).doesNotExist();
    }

    @Test
    void the_embedded_redis_is_safe_with_the_durability_it_was_started_with() throws Exception {
        try (Millrace hub =
                Millrace.start(directory, "run", "--set", "durability=fsync").awaitReady()) {
            Ended same = Millrace.run(directory, "doctor", "--set", "durability=fsync");
            assertThat(same.out())
                    .contains("good     Every acknowledged write is on its disk.")
                    .endsWith("Safe and suitable.\n");
            assertThat(same.exit()).isZero();
            Ended ended = hub.terminate().end();
            assertThat(ended.err()).contains("survives a power cut. durability=fsync");
        }
        try (Millrace hub = Millrace.start(directory, "run").awaitReady()) {
            Ended more = Millrace.run(directory, "doctor", "--set", "durability=fsync");
            assertThat(more.exit()).isEqualTo(1);
            assertThat(more.out())
                    .contains("BAD      It writes to the disk once a second")
                    .contains("type: ./millrace run --set durability=fsync")
                    .endsWith("Not safe: 1 to be mended, 0 to be thought about.\n");
            assertThat(hub.terminate().end().exit()).isZero();
        }
    }

    @Test
    void a_redis_of_somebody_else_s_is_looked_at_and_run_refuses_what_it_cannot_promise() {
        try (TestServer server =
                TestServer.start("appendonly yes", "maxmemory-policy allkeys-lru")) {
            String url = "redis.url=" + server.url();
            Ended doctor = Millrace.run(directory, "doctor", "--set", url);
            assertThat(doctor.exit()).isEqualTo(1);
            assertThat(doctor.out())
                    .startsWith("127.0.0.1:" + server.port() + "\n  good     It is redis ")
                    .contains(
                            "           type: redis-cli -h 127.0.0.1 -p %d CONFIG SET maxmemory-policy noeviction\n"
                                    .formatted(server.port()))
                    .contains("CONFIG REWRITE after it keeps it.");
            server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            Ended run = Millrace.run(directory, "run", "--set", url, "--set", "durability=fsync");
            assertThat(run.exit()).isEqualTo(2);
            assertThat(run.err()).contains("its appendfsync is everysec. Type CONFIG SET");
            Ended replicas =
                    Millrace.run(directory, "run", "--set", url, "--set", "durability=replicas:1");
            assertThat(replicas.exit()).isEqualTo(2);
            assertThat(replicas.err()).contains("durability is replicas:1, and Redis at");
        }
    }
}
