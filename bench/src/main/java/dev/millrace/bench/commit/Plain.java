package dev.millrace.bench.commit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.bench.race.Contestant;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;

import java.util.List;

/**
 * Five plain commands in a pipeline, nothing atomic about them. Sent through the engine's lanes,
 * together with those of the other threads: of the ways that were tried this was the fastest (a
 * Jedis pipeline on a connection for each thread reached 60 % of it, as did Lettuce on one shared
 * connection).
 */
final class Plain implements Contestant.Work {
    private static final byte[] SET = "SET".getBytes(US_ASCII);
    private static final byte[] NX = "NX".getBytes(US_ASCII);
    private static final byte[] ZADD = "ZADD".getBytes(US_ASCII);

    /**
     * Orders of one thread are this far apart: the same lane, and up to this many threads never
     * meet.
     */
    private static final int APART = 192;

    private final Redis redis;

    Plain(Redis redis) {
        this.redis = redis;
    }

    @Override
    public void once(int thread) {
        Keys keys = Keys.of(Event.next());
        List<Request> requests =
                List.of(
                        command(thread, 0, SET, keys.value(), keys.json(), NX),
                        command(thread, 1, ZADD, Keys.ALL, Keys.ZERO, keys.id()),
                        command(thread, 2, ZADD, Keys.CREATED, keys.created(), keys.id()),
                        command(thread, 3, ZADD, Keys.PUSHED, keys.pushed(), keys.id()),
                        command(thread, 4, ZADD, keys.device(), keys.created(), keys.id()));
        if (redis.callAll(requests).getFirst() == null) {
            throw new IllegalStateException("The event exists already.");
        }
    }

    private static Request command(int thread, int number, byte[]... words) {
        return Request.writing(thread + APART * number, 0, words);
    }
}
