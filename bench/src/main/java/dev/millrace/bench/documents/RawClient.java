package dev.millrace.bench.documents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.RaceServer;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.util.ArrayList;
import java.util.List;

/** Commands to Redis without a hub: as many at once as connections of the hub have in flight. */
final class RawClient {
    private final RaceServer redis;
    private final int depth;

    RawClient(RaceServer redis, int depth) {
        this.redis = redis;
        this.depth = depth;
    }

    /** For so long; gives how many were answered. */
    long repeat(Deed deed, long nanos) {
        List<byte[][]> commands = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            commands.add(command(deed, i));
        }
        long count = 0;
        try (Redis client = Redis.open(redis.options());
                OwnConnection connection = client.own(0)) {
            for (long began = System.nanoTime(); System.nanoTime() - began < nanos; ) {
                count += connection.pipeline(commands).size();
            }
        }
        return count;
    }

    private static byte[][] command(Deed deed, int i) {
        byte[] key = Samples.key(i, i).getBytes(UTF_8);
        return deed == Deed.RAW_GET
                ? new byte[][] {"GET".getBytes(UTF_8), key}
                : new byte[][] {"SET".getBytes(UTF_8), key, Samples.document(i, i).getBytes(UTF_8)};
    }
}
