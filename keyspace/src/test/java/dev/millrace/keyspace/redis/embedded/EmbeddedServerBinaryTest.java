package dev.millrace.keyspace.redis.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.redis.embedded.ServerBinary.Product;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;

/** Which server program is taken. */
class EmbeddedServerBinaryTest {
    private static final String REDIS_7 = "Redis server v=7.4.2 sha=00000000:0 malloc=jemalloc";
    private static final String VALKEY_8 = "Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc";

    @TempDir Path directory;

    @Test
    void a_configured_one_comes_first() throws IOException {
        Path mine = program("mine", "server", REDIS_7);
        program("a", "valkey-server", VALKEY_8);
        assertThat(find(Optional.of(mine), "a"))
                .isEqualTo(new ServerBinary(mine, Product.REDIS, "7.4.2"));
    }

    @Test
    void valkey_on_the_path_comes_before_redis_on_the_path() throws IOException {
        program("a", "redis-server", REDIS_7);
        Path valkey = program("b", "valkey-server", VALKEY_8);
        assertThat(find(Optional.empty(), "a", "b"))
                .isEqualTo(new ServerBinary(valkey, Product.VALKEY, "8.0.1"));
    }

    @Test
    void redis_on_the_path_comes_before_the_one_in_the_jar() throws IOException {
        Path redis = program("b", "redis-server", REDIS_7);
        assertThat(find(Optional.empty(), "missing", "a", "b").path()).isEqualTo(redis);
        assertThat(directory.resolve("extracted")).doesNotExist();
    }

    @Test
    void the_one_in_the_jar_comes_last_and_runs() throws IOException {
        ServerBinary found = find(Optional.empty(), "a");
        assertThat(found.path()).hasParent(directory.resolve("extracted")).isExecutable();
        assertThat(found.product()).isEqualTo(Product.REDIS);
        assertThat(found.version()).isEqualTo("7.0.15");
        try (var files = Files.list(directory.resolve("extracted"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void what_was_extracted_is_used_again_unless_it_is_damaged() throws IOException {
        Path path = find(Optional.empty()).path();
        FileTime old = FileTime.from(Instant.ofEpochSecond(1_000_000_000));
        Files.setLastModifiedTime(path, old);
        assertThat(find(Optional.empty()).path()).isEqualTo(path);
        assertThat(Files.getLastModifiedTime(path)).isEqualTo(old);

        byte[] bytes = Files.readAllBytes(path);
        bytes[bytes.length / 2] ^= 1;
        Files.write(path, bytes);
        assertThat(find(Optional.empty()).version()).isEqualTo("7.0.15");
        bytes[bytes.length / 2] ^= 1;
        assertThat(path).hasBinaryContent(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "Redis server v=6.2.14 sha=0, Redis 6.2.14",
        "Redis server v=5.0.7 sha=0, Redis 5.0.7",
        "Valkey server v=7.0.1 sha=0, Valkey 7.0.1",
    })
    void an_old_one_is_refused_when_configured(String line, String name) throws IOException {
        Path old = program("old", "server", line);
        assertThatThrownBy(() -> find(Optional.of(old)))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining(old + " is " + name + ", which is too old")
                .hasMessageContaining("Redis 7.0 or Valkey 7.2");
    }

    @ParameterizedTest
    @CsvSource({
        "Redis server v=7.0.0 sha=0",
        "Redis server v=10.0.0 sha=0",
        "Valkey server v=7.2.5 sha=0",
        "Valkey server v=9.0.0-rc1 sha=0",
    })
    void one_that_is_new_enough_is_taken(String line) throws IOException {
        Path server = program("new", "server", line);
        assertThat(find(Optional.of(server)).path()).isEqualTo(server);
    }

    @Test
    void an_old_one_on_the_path_is_passed_over() throws IOException {
        program("a", "valkey-server", "Valkey server v=7.0.0 sha=0");
        program("a", "redis-server", "Redis server v=6.0.16 sha=0");
        Path redis = program("b", "redis-server", REDIS_7);
        assertThat(find(Optional.empty(), "a", "b").path()).isEqualTo(redis);
        assertThat(find(Optional.empty(), "a").version()).isEqualTo("7.0.15");
    }

    @Test
    void a_program_that_is_something_else_is_refused() throws IOException {
        Path other = program("x", "server", "PostgreSQL 17");
        assertThatThrownBy(() -> find(Optional.of(other)))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("it says: PostgreSQL 17");
    }

    @Test
    void a_configured_one_that_is_not_there_is_an_error() throws IOException {
        program("a", "redis-server", REDIS_7);
        assertThatThrownBy(() -> find(Optional.of(directory.resolve("nowhere")), "a"))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("no executable server program at " + directory);
    }

    @Test
    void a_platform_without_a_built_in_one_is_told_what_to_install() {
        assertThatThrownBy(
                        () ->
                                ServerBinary.find(
                                        Optional.empty(),
                                        "",
                                        "plan9-mips",
                                        directory,
                                        Optional.empty()))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("plan9-mips")
                .hasMessageContaining("Install valkey-server 7.2 or redis-server 7.0");
    }

    private ServerBinary find(Optional<Path> configured, String... pathEntries) {
        StringBuilder searchPath = new StringBuilder();
        for (String entry : pathEntries) {
            searchPath.append(directory.resolve(entry)).append(File.pathSeparator);
        }
        return ServerBinary.find(
                configured,
                searchPath.toString(),
                ServerBinary.platform(),
                directory.resolve("extracted"),
                Optional.empty());
    }

    private Path program(String subdirectory, String name, String versionLine) throws IOException {
        Path file = Files.createDirectories(directory.resolve(subdirectory)).resolve(name);
        Files.writeString(file, "#!/bin/sh\necho '" + versionLine + "'\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }
}
