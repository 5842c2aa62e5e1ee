package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.Damage;
import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** {@code run} as a person runs it, and the other commands beside it. */
class RunCommandTest {
    @TempDir private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void it_starts_on_nothing_and_stops_at_a_signal(String signal) throws Exception {
        try (Millrace hub = Millrace.start(directory, "run").awaitReady()) {
            ProcessHandle server = embeddedServer();
            assertThat(server.isAlive()).isTrue();

            Ended ended = hub.signal(signal).end();

            assertThat(ended.exit()).isZero();
            assertThat(ended.out()).matches("ready http://127\\.0\\.0\\.1:[0-9]+\n");
            assertThat(ended.err())
                    .contains(
                            "is starting.",
                            "Redis is the embedded Redis of " + data(),
                            "A power cut may take up to the last second with it",
                            "HTTP is at http://127.0.0.1:",
                            "Ready.",
                            "Stopped.")
                    .doesNotContain("Exception");
            assertThat(server.isAlive()).isFalse();
            assertThat(EmbeddedServer.running(data())).isEmpty();
        }
    }

    private ProcessHandle embeddedServer() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(data().resolve("redis/server.properties"))) {
            properties.load(reader);
        }
        return ProcessHandle.of(Long.parseLong(properties.getProperty("pid"))).orElseThrow();
    }

    @Test
    void fsck_and_catalogue_work_on_its_redis_while_it_runs_and_after() throws Exception {
        try (Millrace hub = Millrace.start(directory, "run").awaitReady()) {
            EmbeddedServer.Address address = EmbeddedServer.running(data()).orElseThrow();
            try (RawConnection redis = RawConnection.open(address.port())) {
                redis.command("AUTH", address.password());
                Damage.plant(redis);
            }
            Ended running = Millrace.run(directory, "fsck");
            assertThat(running.exit()).isEqualTo(1);
            // How far it is follows on a machine where it takes longer than a moment.
            assertThat(running.err())
                    .startsWith("millrace: checking the embedded Redis of " + data() + "\n");
            assertThat(running.out()).contains("Found 2 missing entries, 1 orphan entry.");
            assertThat(embeddedServer().isAlive()).isTrue();
            assertThat(hub.terminate().end().exit()).isZero();
        }

        Ended stopped = Millrace.run(directory, "fsck", "--repair", "--set", "data.dir=data");
        assertThat(stopped.exit()).isZero();
        assertThat(stopped.out()).contains("3 repaired, 0 left.");
        assertThat(EmbeddedServer.running(data())).isEmpty();

        Ended counted = Millrace.run(directory, "catalogue");
        assertThat(counted.exit()).isZero();
        assertThat(counted.out())
                .startsWith(KeyReference.markdown())
                .containsPattern("In the embedded Redis of \\Q" + data() + "\\E: [0-9]+ keys\\.");
        assertThat(EmbeddedServer.running(data())).isEmpty();
    }

    @Test
    void a_second_one_on_the_same_data_is_refused() throws Exception {
        try (Millrace hub = Millrace.start(directory, "run").awaitReady()) {
            Ended second = Millrace.run(directory, "run");
            assertThat(second.exit()).isEqualTo(2);
            assertThat(second.out()).isEmpty();
            assertThat(second.err())
                    .contains("already belongs to the process with id " + hub.pid())
                    .contains("choose another data.dir.")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void a_redis_of_ones_own_is_used_and_left_running() throws Exception {
        TestServer server = SharedServers.standalone();
        String setting = "redis.url=" + server.url();
        try (Millrace hub = Millrace.start(directory, "run", "--set", setting).awaitReady()) {
            Ended ended = hub.terminate().end();
            assertThat(ended.exit()).isZero();
            assertThat(ended.err())
                    .contains(
                            "Redis is redis://127.0.0.1:" + server.port(),
                            "keeps no append-only file");
        }
        assertThat(server.command("PING")).isEqualTo("PONG");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void a_redis_that_evicts_is_refused_with_what_to_type() {
        try (TestServer server =
                TestServer.start("maxmemory 100mb", "maxmemory-policy allkeys-lru")) {
            Ended ended = Millrace.run(directory, "run", "--set", "redis.url=" + server.url());
            assertThat(ended.exit()).isEqualTo(2);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err())
                    .contains(
                            "maxmemory-policy is allkeys-lru",
                            "CONFIG SET maxmemory-policy noeviction");
        }
    }

    @Test
    void an_embedded_redis_that_cannot_start_is_a_sentence() throws IOException {
        Path program = directory.resolve("not-redis");
        Files.writeString(program, "hello");
        Ended ended = Millrace.run(directory, "run", "--set", "redis.embedded.binary=" + program);
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("millrace: ").doesNotContain("\tat ");
    }

    @Test
    void a_port_that_is_taken_is_a_sentence() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String setting = "http.port=" + taken.getLocalPort();
            Ended ended = Millrace.run(directory, "run", "--set", setting);
            assertThat(ended.exit()).isEqualTo(2);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err())
                    .contains("Cannot listen on 127.0.0.1:" + taken.getLocalPort(), "http.port=")
                    .doesNotContain("\tat ", "Exception");
        }
        assertThat(EmbeddedServer.running(data())).isEmpty();
    }

    @Test
    void a_data_directory_that_cannot_be_used_is_a_sentence() throws Exception {
        Files.writeString(directory.resolve("data"), "a file, no directory");
        Ended ended = Millrace.run(directory, "run");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err())
                .contains("millrace: ", data().toString())
                .doesNotContain("\tat ", "Exception");
    }

    @Test
    void a_redis_that_is_not_there_is_a_sentence() {
        Ended ended = Millrace.run(directory, "run", "--set", "redis.url=redis://127.0.0.1:1");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err())
                .contains("Redis at 127.0.0.1:1 cannot be reached")
                .doesNotContain("\tat ", "Exception");
    }

    @Test
    void an_address_that_others_reach_needs_tokens() {
        Ended ended = Millrace.run(directory, "run", "--set", "http.host=0.0.0.0");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("access.mode=token").doesNotContain("Exception");
        assertThat(directory).isEmptyDirectory();
    }
}
