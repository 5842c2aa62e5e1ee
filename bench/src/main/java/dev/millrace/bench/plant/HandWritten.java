package dev.millrace.bench.plant;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.RaceServer;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What one would write by hand: a Lua function that sets a field, looks up which rules watch it and
 * compares. Called as such systems call it, by as many connections as the hub has clients, each
 * with one call in flight.
 */
final class HandWritten {
    private static final String PLACE = "HandWritten.write.lua";
    private static final int TURNS = 100;

    private final RaceServer redis;
    private final Field field;
    private final int connections;
    private final String script;

    HandWritten(RaceServer redis, Field field, int connections) throws IOException {
        this.redis = redis;
        this.field = field;
        this.connections = connections;
        this.script = load(redis);
    }

    private static String load(RaceServer redis) throws IOException {
        try (InputStream in = HandWritten.class.getResourceAsStream(PLACE)) {
            if (in != null
                    && redis.call("SCRIPT", "LOAD", new String(in.readAllBytes(), UTF_8))
                            instanceof byte[] hash) {
                return new String(hash, UTF_8);
            }
            throw new IOException("There is no script " + PLACE);
        }
    }

    /** For so long; gives how many calls there were. */
    long repeat(Deed deed, long nanos) throws Exception {
        List<Future<Long>> callers = new ArrayList<>();
        long ends = System.nanoTime() + nanos;
        try (Redis client = Redis.open(redis.options());
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections; i++) {
                int caller = i;
                callers.add(executor.submit(() -> repeat(client, deed, caller, ends)));
            }
        }
        long count = 0;
        for (Future<Long> caller : callers) {
            count += caller.get();
        }
        return count;
    }

    private long repeat(Redis client, Deed deed, int caller, long ends) {
        List<byte[][]> commands = new ArrayList<>();
        List<Integer> channels = field.channelsWith(deed.rules());
        for (int turn = 0; turn < TURNS; turn++) {
            commands.add(command(channels.get((caller + turn) % channels.size()), deed, turn));
        }
        long count = 0;
        try (OwnConnection connection = client.own(0)) {
            do {
                connection.call(commands.get((int) (count % TURNS)));
                count++;
            } while (System.nanoTime() - ends < 0);
        }
        return count;
    }

    private byte[][] command(int channel, Deed deed, int turn) {
        List<String> words = new ArrayList<>(List.of("EVALSHA", script, "1"));
        words.add(Field.UNHEARD + channel + ":T");
        words.add(Field.VALUES + channel + ":T");
        words.add("1754530782");
        for (int point : field.pointsOf(turn, deed.points())) {
            words.add(Integer.toString(point));
            words.add(Field.value(turn, point));
        }
        return words.stream().map(word -> word.getBytes(UTF_8)).toArray(byte[][]::new);
    }
}
