package dev.millrace.bench.readings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.RaceServer;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.util.ArrayList;
import java.util.List;

/**
 * What Redis itself can do: the same events under the same keys with the same values, written by
 * plain commands, one for each key, as a program without the hub would do it. One connection has as
 * many events in one pipeline as the hub has requests in flight.
 *
 * <p>The announcement alone goes to a stream with another name: a hub that is running would read it
 * there and tell others.
 */
final class PlainEvents implements AutoCloseable {
    static final String STREAM = "bench:feed:events";
    static final String STATE = "bench:feed-state:events";

    /** What of an event is written. */
    enum Way {
        /** All of it, each event as one transaction. */
        TRANSACTIONS,
        /** All of it, with nothing to keep it together. */
        COMMANDS,
        /** The entries of the indexes and the list of the readings, and no more. */
        INDEXES
    }

    /** The ids of an event and of its readings. */
    record Ids(String event, List<String> readings) {

        /** New ones, as the hub makes them. */
        static Ids of(String device) {
            List<String> readings = new ArrayList<>();
            for (int i = 0; i < Bodies.READINGS; i++) {
                readings.add(Shards.mint(device));
            }
            return new Ids(Shards.mint(device), readings);
        }
    }

    private final Redis client;
    private final OwnConnection connection;
    private final int depth;
    private long number;
    private long bytes;

    PlainEvents(RaceServer redis, int depth) {
        this.client = Redis.open(redis.options());
        this.connection = client.own(0);
        this.depth = depth;
    }

    /** Writes for so long, and about so many at most; gives how many were written. */
    long repeat(Way way, long nanos, long most) {
        connection.call(words("UNLINK", STREAM, STATE));
        number = 0;
        bytes = 0;
        long count = 0;
        long began = System.nanoTime();
        while (count < most && (count == 0 || System.nanoTime() - began < nanos)) {
            List<byte[][]> commands = new ArrayList<>();
            long created = System.currentTimeMillis();
            for (int i = 0; i < depth; i++) {
                commands.addAll(commands(way, i, Ids.of(Bodies.device(i)), created));
            }
            connection.pipeline(commands);
            count += depth;
        }
        return count;
    }

    /** The commands of the event of this number, see {@link Bodies#event}. */
    List<byte[][]> commands(Way way, int sample, Ids ids, long created) {
        String device = Bodies.device(sample);
        long origin = Bodies.origin(sample);
        String time = Long.toString(created);
        boolean all = way != Way.INDEXES;
        List<byte[][]> commands = new ArrayList<>();
        if (way == Way.TRANSACTIONS) {
            commands.add(words("MULTI"));
        }
        if (all) {
            commands.add(
                    words(
                            "SET",
                            ids.event,
                            ("{\"ID\":\"%s\",\"Checksum\":\"\",\"Pushed\":0,\"Device\":\"%s\","
                                            + "\"Created\":%s,\"Modified\":0,\"Origin\":%s}")
                                    .formatted(ids.event, device, created, origin)));
        }
        commands.add(words("ZADD", "event", "0", ids.event));
        commands.add(words("ZADD", "event:created", time, ids.event));
        commands.add(words("ZADD", "event:device:" + device, time, ids.event));
        List<String> list = new ArrayList<>(List.of("ZADD", "event:readings:" + ids.event));
        List<String> values = new ArrayList<>();
        List<Bodies.Sample> readings = Bodies.readings(sample);
        for (int i = 0; i < readings.size(); i++) {
            Bodies.Sample reading = readings.get(i);
            String id = ids.readings.get(i);
            values.add(
                    "{\"id\":\"%s\",\"created\":%s,\"origin\":%s,\"device\":\"%s\",%s}"
                            .formatted(id, created, origin, device, reading.members()));
            if (all) {
                commands.add(words("SET", id, values.getLast()));
            }
            commands.add(words("ZADD", "reading", "0", id));
            commands.add(words("ZADD", "reading:created", time, id));
            commands.add(words("ZADD", "reading:device:" + device, time, id));
            commands.add(words("ZADD", "reading:name:" + reading.name(), time, id));
            list.addAll(List.of(Integer.toString(i), id));
        }
        commands.add(words(list.toArray(String[]::new)));
        if (all) {
            commands.addAll(
                    announcement(
                            "{\"id\":\"%s\",\"device\":\"%s\",\"created\":%s,\"origin\":%s,\"readings\":[%s]}"
                                    .formatted(
                                            ids.event,
                                            device,
                                            created,
                                            origin,
                                            String.join(",", values)),
                            time));
        }
        if (way == Way.TRANSACTIONS) {
            commands.add(words("EXEC"));
        }
        return commands;
    }

    private List<byte[][]> announcement(String body, String time) {
        number++;
        bytes += body.length();
        return List.of(
                words("XADD", STREAM, number + "-" + time, "b", body),
                words("HSET", STATE, "seq", Long.toString(number), "bytes", Long.toString(bytes)));
    }

    static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = words[i].getBytes(UTF_8);
        }
        return bytes;
    }

    @Override
    public void close() {
        connection.close();
        client.close();
    }
}
