package dev.millrace.keyspace.redis.embedded;

import static dev.millrace.keyspace.redis.embedded.Servers.ask;
import static dev.millrace.keyspace.redis.embedded.Servers.awaitState;
import static dev.millrace.keyspace.redis.embedded.Servers.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.redis.embedded.EmbeddedServer.AppendFsync;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Options;
import dev.millrace.keyspace.redis.embedded.ServerBinary.Product;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/** A data directory remembers who wrote it, and is not given to one who cannot read it. */
class EmbeddedServerVersionTest {
    @TempDir Path directory;
    private Path dataDir = Path.of("");
    private Path real = Path.of("");

    @BeforeEach
    void find() {
        dataDir = directory.resolve("data");
        real = ServerBinary.find(Optional.empty(), directory.resolve("bin")).path();
    }

    @Test
    void the_version_is_recorded_once() throws IOException {
        for (int start = 0; start < 2; start++) {
            startAndStop("Redis", "7.2.4");
        }
        assertThat(history()).singleElement().asString().endsWith("Z Redis 7.2.4");
    }

    @Test
    void upgrades_are_recorded() throws IOException {
        startAndStop("Redis", "7.0.15");
        startAndStop("Redis", "7.2.4");
        startAndStop("Valkey", "8.1.1");
        startAndStop("Valkey", "8.1.0");
        assertThat(history())
                .extracting(line -> line.substring(line.indexOf(' ') + 1))
                .containsExactly("Redis 7.0.15", "Redis 7.2.4", "Valkey 8.1.1", "Valkey 8.1.0");
    }

    @Test
    void an_older_server_is_refused_and_changes_nothing() throws IOException {
        startAndStop("Redis", "7.4.1");
        Path older = program("Redis", "7.2.4");
        assertThatThrownBy(() -> start(older))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("last written by Redis 7.4.1")
                .hasMessageContaining("Redis 7.2.4 (" + older + ") cannot read")
                .hasMessageContaining("Install redis-server 7.4 or newer.");
        assertThat(history()).hasSize(1);
        startAndStop("Redis", "7.4.1");
    }

    @Test
    void a_server_of_another_make_is_refused_where_formats_differ() throws IOException {
        startAndStop("Redis", "7.4.1");
        assertThatThrownBy(() -> startAndStop("Valkey", "8.1.1"))
                .hasMessageContaining("Install redis-server 7.4 or newer.");
    }

    @Test
    void a_newer_server_that_does_not_start_is_not_recorded() throws IOException {
        startAndStop("Redis", "7.0.15");
        Path broken = directory.resolve("broken");
        script(broken, "Redis server v=8.0.0 sha=0", "echo no >&2; exit 3");
        assertThatThrownBy(() -> start(broken))
                .hasMessageContaining("ended by itself with code 3")
                .hasMessageContaining("Its last words:\nno");
        startAndStop("Redis", "7.0.15");
        assertThat(history()).hasSize(1);
    }

    @Test
    void one_on_the_path_that_cannot_read_is_passed_over_for_one_that_can() throws IOException {
        Path valkey = script("a/valkey-server", "Valkey server v=8.1.1 sha=0");
        Path redis = script("b/redis-server", "Redis server v=8.0.2 sha=0");
        String searchPath = directory.resolve("a") + ":" + directory.resolve("b");
        assertThat(onPath(searchPath, Optional.empty()).path()).isEqualTo(valkey);
        assertThat(onPath(searchPath, ServerVersion.parse("Redis 7.4.0")).path()).isEqualTo(redis);
        // Neither they nor the one in the jar: what to install is what wrote the data.
        assertThatThrownBy(() -> onPath(searchPath, ServerVersion.parse("Valkey 9.0.0")))
                .hasMessageContaining("Install valkey-server 9.0 or newer.");
    }

    @Test
    void a_damaged_record_is_no_reason_to_stay_away() throws IOException {
        startAndStop("Redis", "7.2.4");
        Files.writeString(dataDir.resolve("redis/server.history"), "rubbish\n\0\n");
        startAndStop("Redis", "7.0.15");
        assertThat(history()).last().asString().endsWith(" Redis 7.0.15");
    }

    /** A package manager replaces the program while the hub is running; then the server dies. */
    @Test
    void a_restart_takes_the_program_that_is_there_now() throws Exception {
        Path program = program("Redis", "7.0.15");
        Options options = Options.defaults().withBinary(program).withFsync(AppendFsync.ALWAYS);
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, options)) {
            ask(server, "SET", "greeting", "hello");
            program("Valkey", "8.1.1", program);
            kill(server);
            awaitState(
                    server,
                    ServerState.Running.class,
                    state -> server.binary().product() == Product.VALKEY);
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
            assertThat(history()).hasSize(2);

            // And back: refused, until somebody puts the right one there.
            program("Redis", "7.0.15", program);
            kill(server);
            var restarting =
                    awaitState(server, ServerState.Restarting.class, it -> it.attempt() >= 2);
            assertThat(restarting.why().sentence())
                    .contains("Install valkey-server 8.1 or newer, or redis-server 7.2 or newer.");
            program("Redis", "7.2.0", program);
            awaitState(server, ServerState.Running.class);
            assertThat(ask(server, "GET", "greeting")).isEqualTo("hello");
        }
    }

    private void startAndStop(String product, String version) throws IOException {
        start(program(product, version)).close();
    }

    private EmbeddedServer start(Path program) {
        return EmbeddedServer.start(dataDir, Options.defaults().withBinary(program));
    }

    private ServerBinary onPath(String searchPath, Optional<ServerVersion> writer) {
        return ServerBinary.find(
                Optional.empty(),
                searchPath,
                ServerBinary.platform(),
                directory.resolve("extracted"),
                writer);
    }

    private List<String> history() throws IOException {
        return Files.readAllLines(dataDir.resolve("redis/server.history"));
    }

    /** The real server under an assumed name. */
    private Path program(String product, String version) throws IOException {
        return program(product, version, directory.resolve(product + "-" + version));
    }

    private Path program(String product, String version, Path file) throws IOException {
        return script(
                file, product + " server v=" + version + " sha=0", "exec " + real + " \"$@\"");
    }

    private Path script(String name, String versionLine) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return script(file, versionLine, "exit 1");
    }

    /** Replaced as a whole, as a package manager does. */
    private static Path script(Path file, String versionLine, String otherwise) throws IOException {
        Path made = Path.of(file + ".new");
        Files.writeString(
                made,
                """
                #!/bin/sh
                [ "$1" = --version ] && echo '%s' && exit
                %s
                """
                        .formatted(versionLine, otherwise));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Files.move(
                made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
