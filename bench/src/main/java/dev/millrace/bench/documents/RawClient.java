package dev.millrace.bench.documents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.RaceServer;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.util.ArrayList;
import java.util.List;

/** Commands to Redis without a hub: as many at once as connections of the hub have in flight. */
final class RawClient {
    /** Not the hub's own, which the hub would read. It does not outlive a turn: it only grows. */
    private static final String STREAM = "bench:feed:documents";

    private static final String INDEX = "millrace:documents";

    private final RaceServer redis;
    private final int depth;

    RawClient(RaceServer redis, int depth) {
        this.redis = redis;
        this.depth = depth;
    }

    /** For so long; gives how often it was done. */
    long repeat(Deed deed, long nanos) {
        List<byte[][]> commands = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            commands.addAll(commands(deed, i));
        }
        long count = 0;
        try (Redis client = Redis.open(redis.options());
                OwnConnection connection = client.own(0)) {
            for (long began = System.nanoTime(); System.nanoTime() - began < nanos; ) {
                connection.pipeline(commands);
                count += depth;
            }
            connection.call(words("UNLINK", STREAM));
        }
        return count;
    }

    /** What is done once, for the namespace and the document of this number. */
    private static List<byte[][]> commands(Deed deed, int i) {
        String key = Samples.key(i, i);
        String document = Samples.document(i, i);
        return switch (deed) {
            case RAW_GET -> List.<byte[][]>of(words("GET", key));
            case RAW_MGET -> {
                List<String> words = new ArrayList<>(List.of("MGET"));
                for (int n = 0; n < Samples.IN_NAMESPACE; n++) {
                    words.add(Samples.key(i, n));
                }
                yield List.<byte[][]>of(words(words.toArray(String[]::new)));
            }
            case RAW_SET ->
                    List.of(
                            words("SET", key, document),
                            words("ZADD", INDEX, "0", key),
                            words("XADD", STREAM, "*", "b", document));
            case PING, GET, SET, MGET, MGET_IDS, MSET ->
                    throw new IllegalArgumentException("Not a deed of a raw client: " + deed);
        };
    }

    private static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = words[i].getBytes(UTF_8);
        }
        return bytes;
    }
}
