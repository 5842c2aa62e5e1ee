package dev.millrace.keyspace.backup;

import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes on their way into an empty Redis: sent as they come, waited for in bounded batches. For
 * one thread.
 */
final class RestoreBatch {
    private static final int MOST_REQUESTS = 1024;
    private static final long MOST_BYTES = 1024L * 1024;

    private final Redis redis;
    private final List<Waiting> waiting = new ArrayList<>();
    private long bytes;

    private record Waiting(Request request, Consumer<@Nullable Object> answer) {}

    RestoreBatch(Redis redis) {
        this.redis = redis;
    }

    void write(Place place, List<byte[]> command) {
        write(place, command, answer -> {});
    }

    /** The answer is handed over by {@link #flush}, which may come at any time. */
    void write(Place place, List<byte[]> command, Consumer<@Nullable Object> answer) {
        Request request =
                Request.writing(place.order(), place.slot(), command.toArray(byte[][]::new));
        redis.submit(request);
        waiting.add(new Waiting(request, answer));
        for (byte[] each : command) {
            bytes += each.length;
        }
        if (waiting.size() >= MOST_REQUESTS || bytes >= MOST_BYTES) {
            flush();
        }
    }

    /** Waits for all answers, also to what is written because of them. */
    void flush() {
        while (!waiting.isEmpty()) {
            List<Waiting> sent = List.copyOf(waiting);
            waiting.clear();
            bytes = 0;
            sent.forEach(RestoreBatch::answered);
        }
    }

    private static void answered(Waiting each) {
        try {
            each.answer.accept(each.request.await());
        } catch (RedisException e) {
            throw new BackupException(
                    ("The restore was stopped: %s What was written so far is incomplete; empty"
                                    + " this Redis and restore again.")
                            .formatted(e.getMessage()));
        }
    }
}
