package dev.millrace.keyspace.redis.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.redis.embedded.ServerBinary.Product;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalInt;

/** What a person is told about a server that could not start or has ended. */
class ServerDiagnosisTest {
    private static final String USER = System.getProperty("user.name");

    @TempDir Path dataDir;
    private ServerDirectory directory = ServerDirectory.of(Path.of(""));
    private ServerBinary binary = new ServerBinary(Path.of(""), Product.REDIS, "7.0.15");

    @BeforeEach
    void create() throws IOException {
        directory = ServerDirectory.of(dataDir);
        directory.create();
        binary = new ServerBinary(dataDir.resolve("redis-server"), Product.REDIS, "7.0.15");
    }

    @Test
    void one_that_may_not_write_is_told_what_to_type() {
        IOException denied = new AccessDeniedException(directory.config().toString());
        assertThat(ServerDiagnosis.unusable(directory.path(), denied).sentence())
                .contains("may not read and write " + directory.config())
                .endsWith("type: sudo chown -R " + USER + " " + directory.path());
    }

    @Test
    void nobody_is_advised_to_give_away_a_directory_above() {
        Path missing = dataDir.resolve("missing/redis");
        IOException denied = new AccessDeniedException(dataDir.toString());
        assertThat(ServerDiagnosis.unusable(missing, denied).sentence())
                .contains("may not read and write " + dataDir)
                .endsWith("type: sudo install -d -o " + USER + " " + missing);
    }

    @Test
    void what_is_to_be_typed_can_be_typed() {
        Path odd = dataDir.resolve("it's a place");
        IOException denied = new AccessDeniedException(odd.toString());
        assertThat(ServerDiagnosis.unusable(odd, denied).sentence())
                .endsWith(" '" + dataDir + "/it'\\''s a place'");
    }

    @Test
    void a_quota_is_a_full_disk() {
        IOException quota = new IOException("Disk quota exceeded");
        ServerTrouble trouble = ServerDiagnosis.unusable(directory.path(), quota);
        assertThat(trouble.reason()).isEqualTo(Reason.FULL);
        assertThat(trouble.sentence()).contains("is full").contains(directory.path().toString());
    }

    @Test
    void a_directory_that_has_gone_is_told() {
        Path gone = dataDir.resolve("gone");
        IOException failure = new NoSuchFileException(gone.resolve("server.conf").toString());
        assertThat(ServerDiagnosis.unusable(gone, failure).sentence())
                .contains("removed, moved or unmounted");
    }

    @Test
    void anything_else_is_told_as_it_is() {
        IOException failure = new IOException("Input/output error");
        assertThat(ServerDiagnosis.unusable(directory.path(), failure).sentence())
                .isEqualTo(
                        "The embedded server cannot use "
                                + directory.path()
                                + ": Input/output error (IOException).");
    }

    @ParameterizedTest
    @CsvSource({
        "0,   was shut down by somebody else",
        "1,   ended by itself with code 1",
        "137, was killed. If nobody did that",
        "139, was ended by signal 11",
        "-1,  the shell that would know",
    })
    void the_way_it_ended_is_told(int code, String words) {
        OptionalInt known = code < 0 ? OptionalInt.empty() : OptionalInt.of(code);
        ServerTrouble trouble = ServerDiagnosis.ended(directory, binary, known, "one\ntwo\n");
        assertThat(trouble.reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(trouble.sentence()).contains(words);
        assertThat(trouble).asString().endsWith("Its last words:\none\ntwo");
    }

    @Test
    void a_damaged_file_names_the_tool_that_is_there() throws IOException {
        String words =
                "# Bad file format reading the append only file appendonly.aof.1.incr.aof: make a"
                        + " backup of your AOF file, then use ./redis-check-aof --fix <filename>";
        Path link = directory.binaries().resolve("redis-check-aof");
        assertThat(ended(words)).contains("type: " + link + " --fix ");
        assertThat(Files.readSymbolicLink(link)).isEqualTo(binary.path());

        Path beside = Files.createFile(dataDir.resolve("redis-check-aof"));
        assertThat(beside.toFile().setExecutable(true)).isTrue();
        assertThat(ended(words)).contains("type: " + beside + " --fix ");
    }

    @Test
    void data_of_a_newer_server_are_told() {
        assertThat(ended("# Can't handle RDB format version 12"))
                .contains("newer server than Redis 7.0.15");
    }

    @Test
    void a_disk_that_failed_is_told() {
        assertThat(ended("# Can't recover from AOF write error when the AOF fsync policy is"))
                .contains("could not write to its disk");
    }

    private String ended(String lastWords) {
        return ServerDiagnosis.ended(directory, binary, OptionalInt.of(1), lastWords).sentence();
    }
}
