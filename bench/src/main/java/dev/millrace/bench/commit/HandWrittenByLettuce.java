package dev.millrace.bench.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.Contestant;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The same script as a user without the engine would send it: Lettuce, one shared connection. */
final class HandWrittenByLettuce implements Contestant.Work {
    private final RedisCommands<byte[], byte[]> commands;
    private final String sha;

    HandWrittenByLettuce(StatefulRedisConnection<byte[], byte[]> connection) {
        this.commands = connection.sync();
        this.sha = commands.scriptLoad("#!lua\n" + source());
    }

    private static String source() {
        try (InputStream in =
                HandWrittenByLettuce.class.getResourceAsStream("HandWritten.create.lua")) {
            return in == null ? "" : new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void once(int thread) {
        Keys keys = Keys.of(Event.next());
        Long reply = commands.evalsha(sha, ScriptOutputType.INTEGER, keys.keys(), keys.args());
        if (reply == null || reply != 1) {
            throw new IllegalStateException("The event exists already.");
        }
    }
}
