package dev.millrace.keyspace.redis.embedded;

import static dev.millrace.keyspace.redis.embedded.Servers.ask;
import static dev.millrace.keyspace.redis.embedded.Servers.connect;
import static dev.millrace.keyspace.redis.embedded.Servers.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Address;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.AppendFsync;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Options;
import dev.millrace.keyspace.testing.CommandError;
import dev.millrace.keyspace.testing.RawConnection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The embedded server keeps its data, its place and its manners. */
class EmbeddedServerTest {
    private static final Options DEFAULTS = Options.defaults();

    /** For those that are killed: with everysec they may take the last seconds along. */
    private static final Options FSYNC = DEFAULTS.withFsync(AppendFsync.ALWAYS);

    @TempDir Path dataDir;

    @Test
    void it_answers_on_its_port_and_its_socket() throws IOException {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(ask(server, "PING")).isEqualTo("PONG");
            assertThat(pingOverSocket(server.address())).isEqualTo("+OK\r\n+PONG\r\n");
            assertThat(server.alive()).isTrue();
            assertThat(server.binary().version()).isNotEmpty();
        }
    }

    @Test
    void it_is_set_up_to_keep_data() {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(config(server, "appendonly")).isEqualTo("yes");
            assertThat(config(server, "appendfsync")).isEqualTo("everysec");
            assertThat(config(server, "save")).isEqualTo("");
            assertThat(config(server, "maxmemory-policy")).isEqualTo("noeviction");
            assertThat(config(server, "bind")).isEqualTo("127.0.0.1");
        }
        try (EmbeddedServer server =
                EmbeddedServer.start(dataDir, DEFAULTS.withFsync(AppendFsync.ALWAYS))) {
            assertThat(config(server, "appendfsync")).isEqualTo("always");
        }
    }

    @Test
    void it_wants_its_password() {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS);
                RawConnection stranger = RawConnection.open(server.address().port())) {
            assertThatThrownBy(() -> stranger.command("GET", "a"))
                    .isInstanceOf(CommandError.class)
                    .hasMessageStartingWith("NOAUTH");
            assertThatThrownBy(() -> stranger.command("AUTH", "guess"))
                    .isInstanceOf(CommandError.class);
        }
    }

    @Test
    void the_password_is_new_each_time_and_nobody_else_can_read_it() throws IOException {
        String first;
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            first = server.address().password();
            assertThat(first).hasSize(64);
            assertThat(server.address().toString()).doesNotContain(first);
            assertThat(commandLines(server)).isNotEmpty().doesNotContain(first);
            for (String file : List.of("server.conf", "server.properties")) {
                assertThat(mode(dataDir.resolve("redis").resolve(file))).isEqualTo("rw-------");
            }
            assertThat(mode(dataDir.resolve("redis"))).isEqualTo("rwx------");
        }
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(server.address().password()).isNotEqualTo(first);
        }
    }

    @Test
    void data_is_there_after_a_stop() {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            ask(server, "SET", "greeting", "hello");
        }
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
        }
    }

    @Test
    void data_is_there_after_the_server_was_killed() throws Exception {
        for (int round = 0; round < 3; round++) {
            try (EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC)) {
                assertThat(ask(server, "INCR", "starts")).isEqualTo(round + 1L);
                ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
                process.destroyForcibly();
                process.onExit().get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void a_stopped_server_leaves_no_process_and_no_address() {
        EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS);
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        server.close();
        server.close();
        assertThat(process.isAlive()).isFalse();
        assertThat(server.alive()).isFalse();
        assertThat(dataDir.resolve("redis/server.properties")).doesNotExist();
        assertThat(dataDir.resolve("redis/server.sock")).doesNotExist();
        assertThat(EmbeddedServer.running(dataDir)).isEmpty();
    }

    @Test
    void a_second_server_on_one_directory_is_refused() throws IOException {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> EmbeddedServer.start(dataDir, DEFAULTS))
                        .isInstanceOf(EmbeddedServerException.class)
                        .hasMessageContaining("already belongs to this process")
                        .hasMessageContaining("choose another data directory");
                // Having tried in this process must not have loosened the lock for others.
                try (EmbeddedServerChild other = EmbeddedServerChild.starting(dataDir)) {
                    assertThat(other.answer())
                            .startsWith("refused")
                            .contains("the process with id " + ProcessHandle.current().pid());
                }
            }
            assertThat(ask(server, "PING")).isEqualTo("PONG");
        }
    }

    @Test
    void a_running_server_is_found_by_others() throws IOException {
        assertThat(EmbeddedServer.running(dataDir)).isEmpty();
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(EmbeddedServer.running(dataDir)).contains(server.address());
            try (EmbeddedServerChild other = EmbeddedServerChild.looking(dataDir)) {
                assertThat(other.answer()).isEqualTo("" + server.address().port());
            }
        }
        assertThat(EmbeddedServer.running(dataDir)).isEmpty();
    }

    @Test
    void the_server_dies_with_a_killed_jvm_and_its_data_stays() throws Exception {
        ProcessHandle orphan;
        try (EmbeddedServerChild other = EmbeddedServerChild.starting(dataDir)) {
            orphan = other.server();
            ask(EmbeddedServer.running(dataDir).orElseThrow(), "SET", "greeting", "hello");
            other.kill();
        }
        orphan.onExit().get(60, TimeUnit.SECONDS);
        // The address it has left is not given to anybody.
        assertThat(dataDir.resolve("redis/server.properties")).exists();
        assertThat(EmbeddedServer.running(dataDir)).isEmpty();
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
        }
    }

    @Test
    void a_start_waits_for_the_server_of_a_killed_jvm() throws Exception {
        try (EmbeddedServerChild other = EmbeddedServerChild.starting(dataDir)) {
            ProcessHandle orphan = other.server();
            ask(EmbeddedServer.running(dataDir).orElseThrow(), "SET", "greeting", "hello");
            signal("STOP", orphan.pid());
            other.kill();
            CompletableFuture<EmbeddedServer> next =
                    CompletableFuture.supplyAsync(() -> EmbeddedServer.start(dataDir, DEFAULTS));
            try {
                assertThatThrownBy(() -> next.get(500, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                assertThat(orphan.isAlive()).isTrue();
            } finally {
                signal("CONT", orphan.pid());
            }
            try (EmbeddedServer server = next.get(60, TimeUnit.SECONDS)) {
                assertThat(orphan.isAlive()).isFalse();
                assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
            }
        }
    }

    @Test
    void killing_the_shell_between_leaves_no_server() throws Exception {
        EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS);
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        ProcessHandle shell = process.parent().orElseThrow();
        shell.destroyForcibly();
        shell.onExit().get(60, TimeUnit.SECONDS);
        assertThat(ask(server, "SET", "greeting", "hello")).isEqualTo("OK");
        server.close();
        assertThat(process.isAlive()).isFalse();
        try (EmbeddedServer next = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(ask(next, "GET", "greeting")).isEqualTo("hello");
        }
    }

    @Test
    void a_server_that_does_not_listen_is_stopped_all_the_same() throws Exception {
        EmbeddedServer server = EmbeddedServer.start(dataDir, FSYNC);
        ask(server, "SET", "greeting", "hello");
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        // In its event loop for longer than anybody waits.
        try (RawConnection busy = connect(server.address())) {
            busy.send("EVAL", "while true do end", "0");
            server.close();
        }
        assertThat(process.isAlive()).isFalse();
        try (EmbeddedServer next = EmbeddedServer.start(dataDir, FSYNC)) {
            assertThat(ask(next, "GET", "greeting")).isEqualTo("hello");
        }
    }

    @Test
    void a_very_long_path_gets_its_socket_elsewhere() throws IOException {
        Path deep = dataDir.resolve("a very long name ".repeat(10)).resolve("x".repeat(200));
        Path socket;
        try (EmbeddedServer server = EmbeddedServer.start(deep, DEFAULTS)) {
            socket = server.address().socket().orElseThrow();
            assertThat(socket.toString()).hasSizeLessThan(104);
            assertThat(mode(socket.getParent())).isEqualTo("rwx------");
            assertThat(pingOverSocket(server.address())).isEqualTo("+OK\r\n+PONG\r\n");
            assertThat(EmbeddedServer.running(deep)).contains(server.address());
            ask(server, "SET", "greeting", "hello");
        }
        assertThat(socket.getParent()).doesNotExist();
        try (EmbeddedServer server = EmbeddedServer.start(deep, DEFAULTS)) {
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
        }
    }

    @Test
    void a_path_with_odd_characters_works() throws IOException {
        Path odd = dataDir.resolve("it's \"a\" $HOME \\ #1");
        try (EmbeddedServer server = EmbeddedServer.start(odd, DEFAULTS)) {
            assertThat(pingOverSocket(server.address())).isEqualTo("+OK\r\n+PONG\r\n");
            assertThat(EmbeddedServer.running(odd)).contains(server.address());
        }
    }

    @Test
    void a_server_that_cannot_start_tells_why() throws IOException {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            ask(server, "SET", "greeting", "hello");
        }
        Path manifest = dataDir.resolve("redis/appendonlydir/appendonly.aof.manifest");
        String intact = Files.readString(manifest);
        Files.writeString(manifest, "nonsense\n");
        assertThatThrownBy(() -> EmbeddedServer.start(dataDir, DEFAULTS))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("Its last words")
                .hasMessageContaining("Invalid AOF manifest");
        // And the failure holds nothing back.
        Files.writeString(manifest, intact);
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
        }
    }

    @Test
    void a_configured_port_is_used_or_missed_aloud() throws IOException {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            port = taken.getLocalPort();
            assertThatThrownBy(() -> EmbeddedServer.start(dataDir, DEFAULTS.withPort(port)))
                    .isInstanceOf(EmbeddedServerException.class)
                    .hasMessageContaining("port " + port + ", which is in use")
                    .hasMessageContaining("let it choose a free one");
        }
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS.withPort(port))) {
            assertThat(server.address().port()).isEqualTo(port);
        }
    }

    @Test
    void a_file_where_a_directory_should_be_is_named() throws IOException {
        Path file = Files.createFile(dataDir.resolve("file"));
        Path inTheWay = Files.createFile(dataDir.resolve("redis"));
        for (Path wrong : List.of(file, file.resolve("below"))) {
            assertThatThrownBy(() -> EmbeddedServer.start(wrong, DEFAULTS))
                    .isInstanceOf(EmbeddedServerException.class)
                    .hasMessageStartingWith(file + " is not a directory.")
                    .hasMessageContaining("choose another data directory");
        }
        assertThatThrownBy(() -> EmbeddedServer.start(dataDir, DEFAULTS))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageStartingWith(inTheWay + " is not a directory.");
    }

    @Test
    void a_directory_of_somebody_else_is_named_with_what_to_type() throws IOException {
        String user = System.getProperty("user.name");
        assumeFalse(user.equals("root"), "root may do everything");
        EmbeddedServer.start(dataDir, DEFAULTS).close();
        for (String mode : List.of("r-xr-xr-x", "---------")) {
            Path directory = dataDir.resolve("redis");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
            try {
                assertThatThrownBy(() -> EmbeddedServer.start(dataDir, DEFAULTS))
                        .isInstanceOf(EmbeddedServerException.class)
                        .hasMessageContaining("The user " + user + " may not read and write")
                        .hasMessageContaining("sudo chown -R " + user + " " + directory);
            } finally {
                Files.setPosixFilePermissions(
                        directory, PosixFilePermissions.fromString("rwx------"));
            }
        }
    }

    @Test
    void what_a_killed_server_was_rewriting_is_removed() throws IOException {
        Path leftOver = dataDir.resolve("redis/temp-rewriteaof-bg-4711.aof");
        Files.createDirectories(leftOver.getParent());
        Files.writeString(leftOver, "half a file");
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(server.alive()).isTrue();
            assertThat(leftOver).doesNotExist();
        }
    }

    /** Ctrl-C reaches the process group in the foreground of the terminal: ours. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void it_is_out_of_reach_of_ctrl_c() throws IOException {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, DEFAULTS)) {
            assertThat(processGroup(server.pid()))
                    .isNotEqualTo(processGroup(ProcessHandle.current().pid()));
        }
    }

    private static Object config(EmbeddedServer server, String name) {
        return ((List<?>) ask(server, "CONFIG", "GET", name)).get(1);
    }

    private static String pingOverSocket(Address address) throws IOException {
        try (SocketChannel channel =
                SocketChannel.open(UnixDomainSocketAddress.of(address.socket().orElseThrow()))) {
            String text = "AUTH " + address.password() + "\r\nPING\r\n";
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer reply = ByteBuffer.allocate("+OK\r\n+PONG\r\n".length());
            while (reply.hasRemaining() && channel.read(reply) >= 0) {}
            return new String(reply.array(), 0, reply.position(), StandardCharsets.US_ASCII);
        }
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static String commandLines(EmbeddedServer server) {
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        return process.info().commandLine().orElse("")
                + process.parent().flatMap(shell -> shell.info().commandLine()).orElse("");
    }

    /** The fifth field, counted after the name in parentheses, which may contain anything. */
    private static String processGroup(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[2];
    }
}
