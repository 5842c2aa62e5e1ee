package dev.millrace.bench.plant;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.RaceServer;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.util.ArrayList;
import java.util.List;

/** Commands to Redis without a hub: as many at once as clients of the hub have in flight. */
final class RawClient {
    /** How many pipelines are made ready before, so that no client pays for making them. */
    private static final int TURNS = 16;

    private final RaceServer redis;
    private final Field field;
    private final int depth;

    RawClient(RaceServer redis, Field field, int depth) {
        this.redis = redis;
        this.field = field;
        this.depth = depth;
    }

    /** Sets the fields that the hub sets, for so long; gives how many calls that were. */
    long set(Deed deed, long nanos) {
        List<Integer> channels = field.channelsWith(deed.rules());
        List<List<byte[][]>> pipelines = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            List<byte[][]> pipeline = new ArrayList<>();
            for (int i = 0; i < depth; i++) {
                int channel = channels.get((turn + i) % channels.size());
                pipeline.addAll(sets(channel, turn, field.pointsOf(turn + i, deed.points())));
            }
            pipelines.add(pipeline);
        }
        return repeat(pipelines, nanos) * depth;
    }

    /** Values with the time of the channel, and the time of each. */
    private static List<byte[][]> sets(int channel, int turn, List<Integer> points) {
        List<String> values = new ArrayList<>(List.of("HSET", Field.UNHEARD + channel + ":T"));
        List<String> times = new ArrayList<>(List.of("HSET", Field.UNHEARD + channel + ":T:ts"));
        for (int point : points) {
            values.addAll(List.of(Integer.toString(point), Field.value(turn, point)));
            times.addAll(List.of(Integer.toString(point), "1754530782000"));
        }
        values.addAll(List.of("_updated_at", "1754530782"));
        return List.of(words(values), words(times));
    }

    private static byte[][] words(List<String> words) {
        return words.stream().map(word -> word.getBytes(UTF_8)).toArray(byte[][]::new);
    }

    /** Calls again what the hub has called, for so long; gives how many writes of clients. */
    long replay(Recording recording, long nanos) {
        List<List<byte[][]>> pipelines = new ArrayList<>();
        for (int i = 0; i < recording.calls().size(); i += depth) {
            pipelines.add(
                    recording.calls().subList(i, Math.min(i + depth, recording.calls().size())));
        }
        return Math.round(repeat(pipelines, nanos) * recording.writesOf(pipelines.size()));
    }

    private long repeat(List<List<byte[][]>> pipelines, long nanos) {
        long count = 0;
        try (Redis client = Redis.open(redis.options());
                OwnConnection connection = client.own(0)) {
            long began = System.nanoTime();
            do {
                connection.pipeline(pipelines.get((int) (count % pipelines.size())));
                count++;
            } while (System.nanoTime() - began < nanos);
        }
        return count;
    }
}
