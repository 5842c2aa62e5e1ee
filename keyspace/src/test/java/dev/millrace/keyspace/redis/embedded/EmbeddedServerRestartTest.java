package dev.millrace.keyspace.redis.embedded;

import static dev.millrace.keyspace.redis.embedded.Servers.ask;
import static dev.millrace.keyspace.redis.embedded.Servers.awaitState;
import static dev.millrace.keyspace.redis.embedded.Servers.kill;
import static dev.millrace.keyspace.redis.embedded.Servers.signal;
import static dev.millrace.keyspace.redis.embedded.Servers.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Address;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.AppendFsync;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Options;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Outcome.NotDone;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** A server that ends by itself comes back, or says why it cannot. */
class EmbeddedServerRestartTest {
    /** With everysec a server that is killed may take the last seconds along. */
    private static final Options FSYNC = Options.defaults().withFsync(AppendFsync.ALWAYS);

    @TempDir Path dataDir;

    @Test
    void a_killed_server_comes_back_under_the_same_address() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            Address address = server.address();
            assertThat(server.state()).isInstanceOf(ServerState.Running.class);
            for (int round = 1; round <= 3; round++) {
                long pid = server.pid();
                assertThat(ask(server, "INCR", "rounds")).isEqualTo((long) round);
                kill(server);
                awaitState(server, ServerState.Running.class, state -> server.pid() != pid);
                assertThat(ask(address, "GET", "rounds")).isEqualTo("" + round);
                assertThat(EmbeddedServer.running(dataDir)).contains(address);
            }
        }
        assertThat(EmbeddedServer.running(dataDir)).isEmpty();
    }

    @Test
    void lanes_find_it_again_by_themselves() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC);
                Redis redis = connect(server, Duration.ofMinutes(1))) {
            assertThat(write(redis, "RPUSH", "list", "a")).isEqualTo(Outcome.done("1"));
            kill(server);
            // Was it sent into a connection that is dead by now? Then nobody knows, and says so.
            await().atMost(Servers.CAP).until(() -> write(redis, "RPUSH", "list", "b").isDone());
            assertThat((List<?>) ask(server, "LRANGE", "list", "0", "-1")).first().isEqualTo("a");
            assertThat(server.redisOptions().endpoints().getFirst().socket())
                    .isEqualTo(server.address().socket().orElseThrow());
        }
    }

    @Test
    void one_that_was_told_to_stop_by_somebody_else_comes_back_too() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            long pid = server.pid();
            ask(server, "SET", "greeting", "hello");
            signal("TERM", pid);
            awaitState(server, ServerState.Running.class, state -> server.pid() != pid);
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
        }
    }

    @Test
    void it_comes_back_when_the_shell_between_was_killed_first() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            long pid = server.pid();
            ask(server, "SET", "greeting", "hello");
            ProcessHandle itself = ProcessHandle.of(pid).orElseThrow();
            kill(itself.parent().orElseThrow());
            // Its pipe closes with the shell, so it may already be on its way out.
            kill(itself);
            awaitState(server, ServerState.Running.class, state -> server.pid() != pid);
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
        }
    }

    @Test
    void one_that_gives_no_answer_is_reported_and_left_alone() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            long pid = server.pid();
            signal("STOP", pid);
            try {
                ServerTrouble why = awaitState(server, ServerState.NoAnswer.class).why();
                assertThat(why.reason()).isEqualTo(Reason.UNAVAILABLE);
                assertThat(why.sentence()).contains("process " + pid).contains("does not answer");
                assertThat(why.lastWords()).contains("Ready to accept connections");
            } finally {
                signal("CONT", pid);
            }
            awaitState(server, ServerState.Running.class);
            assertThat(server.pid()).isEqualTo(pid);
        }
    }

    @Test
    void a_damaged_file_is_tried_ever_more_slowly_until_it_is_mended() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC);
                Redis redis = connect(server, Duration.ofMillis(500))) {
            ask(server, "SET", "first", "1");
            ask(server, "SET", "second", "2");
            byte[] intact = Files.readAllBytes(incremental());
            damageTheMiddle();
            kill(server);

            var restarting =
                    awaitState(server, ServerState.Restarting.class, it -> it.attempt() >= 4);
            assertThat(restarting.why().reason()).isEqualTo(Reason.UNAVAILABLE);
            assertThat(restarting.why().sentence())
                    .contains("damaged")
                    .contains("-check-aof --fix " + appendOnly().resolve("appendonly.aof."));
            assertThat(restarting.why().lastWords()).contains("Bad file format");
            // 100, 200 and 400 ms have passed before the fourth.
            assertThat(Duration.between(restarting.since(), Instant.now()))
                    .isGreaterThan(Duration.ofMillis(650));
            NotDone<?> notDone = (NotDone<?>) write(redis, "SET", "third", "3");
            assertThat(notDone.reason()).isEqualTo(Reason.UNAVAILABLE);
            assertThat(notDone.detail()).contains("nothing was done").contains("-check-aof");

            Files.write(incremental(), intact);
            awaitState(server, ServerState.Running.class);
            assertThat(ask(server, "GET", "second")).isEqualTo("2");
        }
    }

    @Test
    void the_tool_that_is_named_mends_the_file() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            ask(server, "SET", "first", "1");
            ask(server, "SET", "second", "2");
        }
        damageTheMiddle();
        assertThatThrownBy(() -> EmbeddedServer.start(dataDir, FSYNC))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("refuses to load its append-only file")
                .satisfies(
                        failure -> {
                            String text = failure.getMessage();
                            String command =
                                    text.substring(
                                            text.indexOf("then type: ") + "then type: ".length(),
                                            text.indexOf(" (it cuts"));
                            Servers.run("echo y | " + command + " >/dev/null");
                        });
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            assertThat(ask(server, "GET", "first")).isEqualTo("1");
            assertThat(ask(server, "GET", "second")).isNull();
        }
    }

    @Test
    void half_a_write_at_the_end_as_after_a_power_cut_does_no_harm() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            ask(server, "SET", "first", "1");
            ask(server, "SET", "second", "2");
        }
        byte[] bytes = Files.readAllBytes(incremental());
        Files.write(incremental(), Arrays.copyOf(bytes, bytes.length - 5));
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            assertThat(ask(server, "GET", "first")).isEqualTo("1");
            assertThat(ask(server, "GET", "second")).isNull();
        }
    }

    /** By itself the server would load it rightly the first time, and its beginning the second. */
    @Test
    void half_a_transaction_at_the_end_never_comes_true() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            ask(server, "EVAL", "redis.call('SET', 'a', 1) redis.call('SET', 'b', 1)", "0");
            ask(server, "EVAL", "redis.call('SET', 'a', 2) redis.call('SET', 'b', 2)", "0");
        }
        byte[] whole = Files.readAllBytes(incremental());
        int begin = new String(whole, StandardCharsets.UTF_8).lastIndexOf("*1\r\n$5\r\nMULTI");
        for (int length = begin; length < whole.length; length += 17) {
            Files.write(incremental(), Arrays.copyOf(whole, length));
            for (int start = 1; start <= 2; start++) {
                try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
                    assertThat(ask(server, "MGET", "a", "b")).isEqualTo(List.of("1", "1"));
                    ask(server, "EVAL", "redis.call('SET', 'c', 3) redis.call('SET', 'd', 3)", "0");
                }
            }
        }
    }

    @Test
    void closing_while_it_is_being_restarted_leaves_nothing() throws Exception {
        EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC);
        ask(server, "SET", "first", "1");
        ask(server, "SET", "second", "2");
        byte[] intact = Files.readAllBytes(incremental());
        damageTheMiddle();
        kill(server);
        awaitState(server, ServerState.Restarting.class, it -> it.attempt() >= 2);
        server.close();
        assertThat(server.alive()).isFalse();
        assertThat(server.state()).isInstanceOf(ServerState.Stopped.class);
        assertThat(dataDir.resolve("redis/server.properties")).doesNotExist();

        Files.write(incremental(), intact);
        try (EmbeddedServer next = EmbeddedServer.start(dataDir, FSYNC)) {
            assertThat(ask(next, "GET", "second")).isEqualTo("2");
        }
    }

    /** At any moment of a restart: before the pause, in it, while the server loads. */
    @Test
    void closing_just_after_a_death_leaves_nothing() throws Exception {
        for (int round = 0; round < 10; round++) {
            EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC);
            assertThat(ask(server, "INCR", "rounds")).isEqualTo(round + 1L);
            kill(server);
            int moment = round * 25;
            await().pollDelay(Duration.ofMillis(moment)).until(() -> true);
            server.close();
            assertThat(server.alive()).isFalse();
        }
    }

    @Test
    void a_port_that_was_taken_meanwhile_is_waited_for() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            int port = server.address().port();
            ask(server, "SET", "greeting", "hello");
            // One that stands still keeps its port; so that nobody is quicker than we are.
            damageTheMiddle();
            kill(server);
            awaitState(server, ServerState.Restarting.class, it -> it.attempt() >= 2);
            try (ServerSocket taken = new ServerSocket()) {
                taken.setReuseAddress(true);
                taken.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
                undoDamage();
                var restarting =
                        awaitState(
                                server,
                                ServerState.Restarting.class,
                                it -> it.why().sentence().contains("in use"));
                assertThat(restarting.why().sentence()).contains("port " + port);
            }
            awaitState(server, ServerState.Running.class);
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
        }
    }

    @Test
    void a_directory_that_has_gone_is_not_made_anew() throws Exception {
        Path elsewhere = dataDir.resolve("elsewhere");
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
            ask(server, "SET", "greeting", "hello");
            Files.move(dataDir.resolve("redis"), elsewhere);
            kill(server);
            var restarting =
                    awaitState(server, ServerState.Restarting.class, it -> it.attempt() >= 2);
            assertThat(restarting.why().sentence())
                    .contains("no longer the directory")
                    .contains("Put it back");
            assertThat(dataDir.resolve("redis")).doesNotExist();
            // The way back is open as long as it is the same one.
            Files.move(elsewhere, dataDir.resolve("redis"));
            awaitState(server, ServerState.Running.class);
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
        }
    }

    private static Redis connect(EmbeddedServer server, Duration patience) {
        return server.connect(
                server.redisOptions().withLanes(1).withTimes(patience, Duration.ofSeconds(30)));
    }

    private Path appendOnly() {
        return dataDir.resolve("redis/appendonlydir");
    }

    private Path incremental() throws IOException {
        try (var files = Files.list(appendOnly())) {
            return files.filter(file -> file.toString().endsWith(".incr.aof"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Spoils the length of a word in the last command, which stays there to its end. */
    private void damageTheMiddle() throws IOException {
        exchange("$3\r\nSET\r\n", "$x\r\nSET\r\n");
    }

    private void undoDamage() throws IOException {
        exchange("$x\r\nSET\r\n", "$3\r\nSET\r\n");
    }

    private void exchange(String from, String to) throws IOException {
        String text = Files.readString(incremental());
        int at = text.lastIndexOf(from);
        assertThat(at).isPositive();
        Files.writeString(
                incremental(),
                text.substring(0, at) + to + text.substring(at + from.length()),
                StandardOpenOption.TRUNCATE_EXISTING);
    }
}
