package dev.millrace.keyspace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The fixture does what the tests that stand on it believe. */
class TestServerTest {

    @Test
    void replies_are_decoded() {
        TestServer server = SharedServers.standalone();
        SharedServers.flushAll();
        assertThat(server.command("SET", "key", "ü")).isEqualTo("OK");
        assertThat(server.command("GET", "key")).isEqualTo("ü");
        assertThat(server.command("GET", "none")).isNull();
        assertThat(server.command("INCR", "number")).isEqualTo(1L);
        assertThat(server.command("EVAL", "return {1, 'two', {3, false}, {}}", "0"))
                .isEqualTo(Arrays.asList(1L, "two", Arrays.asList(3L, null), List.of()));
        assertThatThrownBy(() -> server.command("INCR", "key"))
                .isInstanceOf(CommandError.class)
                .hasMessageStartingWith("ERR value is not an integer");
        assertThat(server.command("PING")).isEqualTo("PONG");
        server.flushAll();
        assertThat(server.command("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void bytes_pass_unchanged() {
        TestServer server = SharedServers.standalone();
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        server.commandBytes("SET".getBytes(UTF_8), bytes, bytes);
        assertThat(server.commandBytes("GET".getBytes(UTF_8), bytes)).isEqualTo(bytes);
    }

    @Test
    void lines_of_configuration_count() {
        try (TestServer server = TestServer.start("requirepass secret", "maxmemory 7mb")) {
            assertThat(server.url()).isEqualTo("redis://:secret@127.0.0.1:" + server.port());
            assertThat(server.command("CONFIG", "GET", "maxmemory"))
                    .isEqualTo(List.of("maxmemory", "7340032"));
            try (RawConnection stranger = RawConnection.open(server.port())) {
                assertThatThrownBy(() -> stranger.command("PING")).hasMessageContaining("NOAUTH");
            }
        }
    }

    @Test
    void a_replica_follows() {
        try (TestServer primary = TestServer.start();
                TestServer replica = TestServer.start("replicaof 127.0.0.1 " + primary.port())) {
            Waiting.until(
                    () -> replica.info("master_link_status").orElse("").equals("up"), replica::log);
            primary.command("SET", "key", "value");
            assertThat(primary.command("WAIT", "1", "60000")).isEqualTo(1L);
            assertThat(replica.command("GET", "key")).isEqualTo("value");
            assertThatThrownBy(() -> replica.command("SET", "key", "other"))
                    .hasMessageStartingWith("READONLY");
        }
    }

    @Test
    void killed_and_restarted_it_is_empty_unless_it_persists() {
        try (TestServer server = TestServer.start();
                TestServer durable = TestServer.start("appendonly yes")) {
            for (TestServer each : List.of(server, durable)) {
                int port = each.port();
                each.command("SET", "key", "value");
                each.kill();
                assertThat(each.alive()).isFalse();
                assertThatThrownBy(() -> each.command("PING"));
                each.restart();
                assertThat(each.port()).isEqualTo(port);
            }
            assertThat(server.command("GET", "key")).isNull();
            assertThat(durable.command("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void paused_it_answers_only_after_it_is_resumed() throws Exception {
        try (TestServer server = TestServer.start()) {
            server.pause();
            CompletableFuture<Object> reply =
                    CompletableFuture.supplyAsync(() -> server.command("PING"));
            assertThatThrownBy(() -> reply.get(200, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            server.resume();
            assertThat(reply.get(60, TimeUnit.SECONDS)).isEqualTo("PONG");
            server.pause();
        }
    }

    @Test
    void closed_it_leaves_nothing() {
        TestServer server = TestServer.start();
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        server.close();
        assertThat(process.isAlive()).isFalse();
        assertThat(server.directory()).doesNotExist();
        server.close();
    }
}
