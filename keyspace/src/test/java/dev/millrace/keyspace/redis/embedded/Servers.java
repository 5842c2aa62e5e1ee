package dev.millrace.keyspace.redis.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Address;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.testing.RawConnection;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What the tests of the embedded server do to it. */
final class Servers {

    /** Only a hang ever reaches it. */
    static final Duration CAP = Duration.ofMinutes(2);

    private Servers() {}

    static @Nullable Object ask(EmbeddedServer server, String... words) {
        return ask(server.address(), words);
    }

    static @Nullable Object ask(Address address, String... words) {
        try (RawConnection connection = connect(address)) {
            return connection.command(words);
        }
    }

    static RawConnection connect(Address address) {
        RawConnection connection = RawConnection.open(address.port());
        connection.command("AUTH", address.user(), address.password());
        return connection;
    }

    /** SIGKILL to the server itself; returns when it is gone. */
    static void kill(EmbeddedServer server) throws Exception {
        kill(ProcessHandle.of(server.pid()).orElseThrow());
    }

    static void kill(ProcessHandle process) throws Exception {
        process.destroyForcibly();
        process.onExit().get(CAP.toSeconds(), TimeUnit.SECONDS);
    }

    static void signal(String name, long pid) throws IOException, InterruptedException {
        run("kill -s " + name + " " + pid);
    }

    /** Runs a line of shell that must succeed. */
    static void run(String line) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("sh", "-c", line).inheritIO().start().waitFor())
                .as(line)
                .isZero();
    }

    /** Waits until the server is doing like this, and gives that state. */
    static <S extends ServerState> S awaitState(EmbeddedServer server, Class<S> kind) {
        return awaitState(server, kind, state -> true);
    }

    static <S extends ServerState> S awaitState(
            EmbeddedServer server, Class<S> kind, Predicate<S> like) {
        return kind.cast(
                await().atMost(CAP)
                        .pollInterval(Duration.ofMillis(20))
                        .until(
                                server::state,
                                state -> kind.isInstance(state) && like.test(kind.cast(state))));
    }

    /** One write over the lanes, with what became of it. */
    static Outcome<String> write(Redis redis, String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = words[i].getBytes(StandardCharsets.UTF_8);
        }
        try {
            Object reply = redis.call(Request.writing(0, 0, command));
            return Outcome.done(
                    reply instanceof byte[] text
                            ? new String(text, StandardCharsets.UTF_8)
                            : String.valueOf(reply));
        } catch (RedisException e) {
            return Outcome.failed(e);
        }
    }
}
