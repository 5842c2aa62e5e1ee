package dev.millrace.bench.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.RaceServer;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.util.ArrayList;
import java.util.List;

/**
 * The same keys as a program would write them by hand: one command after the other, in a pipeline
 * of many orders, without a check and without being told of anything. It is what Redis has to do at
 * the least.
 */
final class ByHand {
    private static final String PREFIX = "byhand:";

    private final RaceServer redis;
    private final int channels;
    private final int depth;

    ByHand(RaceServer redis, int channels, int depth) {
        this.redis = redis;
        this.channels = channels;
        this.depth = depth;
    }

    /** Does it for so long; gives how many orders that were. */
    long repeat(long nanos) {
        long count = 0;
        try (Redis client = Redis.open(redis.options());
                OwnConnection connection = client.own(0)) {
            long began = System.nanoTime();
            do {
                List<byte[][]> pipeline = new ArrayList<>();
                for (int i = 0; i < depth; i++) {
                    pipeline.addAll(order(count++));
                }
                connection.pipeline(pipeline);
            } while (System.nanoTime() - began < nanos);
        }
        return count;
    }

    private List<byte[][]> order(long number) {
        long channel = number % channels + 1;
        String record = PREFIX + "comsrv:cmd:" + channel + ":" + number;
        String mirror = PREFIX + "comsrv:" + channel + ":A";
        String queue = PREFIX + "control:queue:" + channel;
        String element =
                "{\"cmd_id\":\"%d\",\"channel_id\":%d,\"type\":\"A\",\"point_id\":1,\"value\":1}"
                        .formatted(number, channel);
        List<byte[][]> all = new ArrayList<>();
        add(
                all,
                "HSET",
                record,
                "point_id",
                "1",
                "value",
                "1",
                "status",
                "pending",
                "timestamp",
                "1754530782");
        add(all, "HSET", mirror, "1", "1", "_status", "pending", "_updated_at", "1754530782");
        add(all, "RPUSH", queue, element);
        event(all, element);
        add(all, "LMOVE", queue, queue + ":processing", "LEFT", "RIGHT");
        add(all, "HSET", record, "status", "executing", "started_at", "1754530782");
        event(all, element);
        add(all, "HSET", record, "status", "completed", "finished_at", "1754530782");
        add(all, "HSET", mirror, "_status", "completed", "_updated_at", "1754530782");
        add(all, "LREM", queue + ":processing", "1", element);
        event(all, element);
        add(all, "EXPIRE", record, "86400");
        return all;
    }

    private static void event(List<byte[][]> all, String element) {
        add(all, "LPUSH", PREFIX + "control:events", element);
        add(all, "LTRIM", PREFIX + "control:events", "0", "999");
    }

    private static void add(List<byte[][]> all, String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = words[i].getBytes(UTF_8);
        }
        all.add(command);
    }
}
