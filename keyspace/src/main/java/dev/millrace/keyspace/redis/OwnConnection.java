package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.Wire.BrokenWireException;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection outside the lanes, for what would hold them up: blocking commands and walks over a
 * whole node. One caller at a time; when it breaks it stays broken, and the caller opens another.
 */
public final class OwnConnection implements AutoCloseable {
    private final Endpoint endpoint;
    private final Wire wire;
    private final RedisOptions options;

    OwnConnection(Endpoint endpoint, RedisOptions options, Watchdog watchdog) {
        this.endpoint = endpoint;
        this.options = options;
        this.wire = Wire.open(endpoint, options, watchdog);
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Sends one command and waits for its answer within the usual time. */
    public @Nullable Object call(byte[]... command) {
        return calls(List.<byte[][]>of(command), Duration.ZERO).getFirst();
    }

    /** A command that waits on the server for at most {@code blocks}, such as XREAD BLOCK. */
    public @Nullable Object block(Duration blocks, byte[]... command) {
        return calls(List.<byte[][]>of(command), blocks).getFirst();
    }

    /** Sends all commands in one write; an error answer to any of them is thrown. */
    public List<@Nullable Object> pipeline(List<byte[][]> commands) {
        return calls(commands, Duration.ZERO);
    }

    private List<@Nullable Object> calls(List<byte[][]> commands, Duration blocks) {
        List<@Nullable Object> replies = new ArrayList<>(commands.size());
        ErrorReply failure = null;
        try {
            wire.expectWithin(options.answerTime().plus(blocks).toNanos());
            commands.forEach(wire::write);
            wire.flush();
            for (int i = 0; i < commands.size(); i++) {
                Object reply = wire.read();
                if (reply instanceof ErrorReply error) {
                    failure = error;
                }
                replies.add(reply);
            }
            wire.expectNothing();
        } catch (BrokenWireException e) {
            throw new OutcomeUnknownException(
                    "The connection to Redis at " + endpoint + " was lost: " + e.getMessage());
        }
        if (failure != null) {
            throw failure.asException();
        }
        return replies;
    }

    /** May come from another thread and ends a call that waits. */
    @Override
    public void close() {
        wire.close();
    }
}
