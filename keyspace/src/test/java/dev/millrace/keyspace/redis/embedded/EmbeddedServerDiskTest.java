package dev.millrace.keyspace.redis.embedded;

import static dev.millrace.keyspace.redis.embedded.Servers.ask;
import static dev.millrace.keyspace.redis.embedded.Servers.awaitState;
import static dev.millrace.keyspace.redis.embedded.Servers.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.file.StandardOpenOption.WRITE;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.AppendFsync;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Options;
import dev.millrace.keyspace.redis.outcome.Outcome.Done;
import dev.millrace.keyspace.redis.outcome.Outcome.NotDone;
import dev.millrace.keyspace.redis.outcome.Outcome.Unconfirmed;
import dev.millrace.keyspace.redis.outcome.Outcome.Unknown;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Full and read-only disks: a small file system in memory, where we may mount one. */
@EnabledOnOs(OS.LINUX)
class EmbeddedServerDiskTest {
    private static final String VALUE = "x".repeat(10_000);

    @TempDir Path directory;
    private Path disk = Path.of("");
    private Options options = Options.defaults();
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(directory.resolve("disk"));
        Path binary = ServerBinary.find(Optional.empty(), directory.resolve("bin")).path();
        options = Options.defaults().withBinary(binary);
        mounted = call("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString());
        assumeTrue(mounted, "needs the right to mount a file system");
    }

    @AfterEach
    void unmount() {
        if (mounted) {
            // The shell's helper may take a moment longer to leave the directory than the server.
            await().atMost(Servers.CAP).until(() -> call("umount", disk.toString()));
        }
    }

    private static boolean call(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }

    @Test
    void with_everysec_a_full_disk_refuses_writes_until_there_is_room() throws Exception {
        List<Integer> acknowledged = new ArrayList<>();
        try (EmbeddedServer server = EmbeddedServer.start(disk, options);
                Redis redis = connect(server)) {
            fill();
            NotDone<?> refused = writeUntilRefused(redis, acknowledged);
            assertThat(refused.reason()).isEqualTo(Reason.FULL);
            assertThat(refused.detail()).contains("cannot write to its disk");

            ServerTrouble why = awaitState(server, ServerState.NoWrites.class).why();
            assertThat(why.reason()).isEqualTo(Reason.FULL);
            assertThat(why.sentence()).contains("No space left on device");
            // Nothing is lost meanwhile, and reading goes on.
            assertThat(ask(server, "STRLEN", "0")).isEqualTo((long) VALUE.length());

            makeRoom();
            awaitState(server, ServerState.Running.class);
            await().atMost(Servers.CAP).until(() -> write(redis, "SET", "after", VALUE).isDone());
        }
        everythingIsThere(acknowledged);
    }

    @Test
    void with_fsync_the_server_ends_and_comes_back_when_there_is_room() throws Exception {
        options = options.withFsync(AppendFsync.ALWAYS);
        List<Integer> acknowledged = new ArrayList<>();
        try (EmbeddedServer server = EmbeddedServer.start(disk, options);
                Redis redis = connect(server)) {
            fill();
            NotDone<?> refused = writeUntilRefused(redis, acknowledged);
            assertThat(refused.reason()).isEqualTo(Reason.FULL);
            assertThat(refused.detail())
                    .contains("nothing was done")
                    .contains("is full")
                    .contains("Free some space in " + disk);

            var restarting =
                    awaitState(server, ServerState.Restarting.class, it -> it.attempt() >= 3);
            assertThat(restarting.why().reason()).isEqualTo(Reason.FULL);
            assertThat(restarting.why().sentence()).contains("is full");

            makeRoom();
            awaitState(server, ServerState.Running.class);
            await().atMost(Servers.CAP).until(() -> write(redis, "SET", "after", VALUE).isDone());
        }
        everythingIsThere(acknowledged);
    }

    @Test
    void a_start_on_a_full_disk_is_refused_with_a_sentence() throws Exception {
        fill();
        assertThatThrownBy(() -> EmbeddedServer.start(disk, options))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("is full")
                .hasMessageContaining("Free some space in " + disk)
                .extracting(failure -> ((EmbeddedServerException) failure).reason())
                .isEqualTo(Reason.FULL);
        makeRoom();
        EmbeddedServer.start(disk, options).close();
        // The same with everything there that a start would write.
        fill();
        assertThatThrownBy(() -> EmbeddedServer.start(disk, options))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("is full");
        makeRoom();
        EmbeddedServer.start(disk, options).close();
    }

    @Test
    void a_full_disk_is_told_also_where_the_program_has_to_be_put() throws Exception {
        fill();
        assertThatThrownBy(
                        () ->
                                ServerBinary.find(
                                        Optional.empty(),
                                        "",
                                        ServerBinary.platform(),
                                        disk.resolve("bin"),
                                        Optional.empty()))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("is full");
    }

    @Test
    void a_read_only_disk_is_told() throws Exception {
        EmbeddedServer.start(disk, options).close();
        Servers.run("mount -o remount,ro " + disk);
        assertThatThrownBy(() -> EmbeddedServer.start(disk, options))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("mounted read-only")
                .hasMessageContaining("choose another data directory");
    }

    private static Redis connect(EmbeddedServer server) {
        return server.connect(
                server.redisOptions()
                        .withLanes(1)
                        .withTimes(Duration.ofSeconds(1), Duration.ofSeconds(30)));
    }

    /** The one that meets the end of a server with fsync is unknown; all others are not done. */
    private static NotDone<?> writeUntilRefused(Redis redis, List<Integer> acknowledged) {
        int unknown = 0;
        for (int i = 0; i < 10_000; i++) {
            switch (write(redis, "SET", "" + i, VALUE)) {
                case Done<String> _ -> acknowledged.add(i);
                case Unconfirmed<String> stored -> throw new AssertionError(stored);
                case NotDone<String> refused -> {
                    assertThat(acknowledged).isNotEmpty();
                    return refused;
                }
                case Unknown<String> _ -> assertThat(++unknown).isLessThanOrEqualTo(2);
            }
        }
        throw new AssertionError("A full disk took everything.");
    }

    private void everythingIsThere(List<Integer> acknowledged) {
        try (EmbeddedServer server = EmbeddedServer.start(disk, options)) {
            assertThat(ask(server, "STRLEN", "after")).isEqualTo((long) VALUE.length());
            for (int i : acknowledged) {
                assertThat(ask(server, "STRLEN", "" + i)).isEqualTo((long) VALUE.length());
            }
        }
    }

    /** Leaves some hundred KB. */
    private void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(ballast())) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException full) {
            assertThat(Files.getFileStore(disk).getUsableSpace()).isLessThan(8192);
        }
        try (var channel = Files.newByteChannel(ballast(), WRITE)) {
            channel.truncate(channel.size() - 300_000);
        }
    }

    private void makeRoom() throws IOException {
        Files.delete(ballast());
    }

    private Path ballast() {
        return disk.resolve("ballast");
    }
}
