package dev.millrace.bench.feed;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.OpenLoop;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** How long it takes from a commit to a reader that waits for its fact. */
final class Delay {
    private static final Topic TOPIC = Topic.named("bench-delay");
    private static final Duration WAIT = Duration.ofSeconds(5);

    private Delay() {}

    /**
     * @param committed from the beginning of a commit to its end
     * @param read from the beginning of a commit to the moment its fact is in a reader's hands
     */
    record Result(Latencies committed, Latencies read) {}

    /**
     * Facts come one by one, some milliseconds apart, so that the reader really waits.
     *
     * @param readers where the reader is: the keyspace of the writers, or another one
     */
    static Result measure(Keyspace writers, Keyspace readers, int perSecond, Duration time) {
        readers.feed(TOPIC).forget("delay");
        FeedReader reader = readers.feed(TOPIC).reader("delay", Topic.Behind.GAP, false);
        int count = (int) (time.toNanos() / (1_000_000_000L / perSecond));
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<long[]> read =
                    CompletableFuture.supplyAsync(() -> read(reader, count), executor);
            Latencies committed =
                    new OpenLoop(
                                    perSecond,
                                    () ->
                                            writers.commit("pump")
                                                    .with(writers.feed(TOPIC).fact(stamp()))
                                                    .run()
                                                    .orThrow())
                            .run(time);
            return new Result(committed, Latencies.of(read.join()));
        }
    }

    private static byte[] stamp() {
        return Long.toString(System.nanoTime()).getBytes(US_ASCII);
    }

    private static long[] read(FeedReader reader, int count) {
        long[] delays = new long[count];
        int got = 0;
        while (got < count) {
            for (FeedReader.Unread unread : reader.next(64, WAIT)) {
                long now = System.nanoTime();
                for (Fact fact : unread.facts()) {
                    delays[got++] = now - Long.parseLong(new String(fact.body(), US_ASCII));
                }
                reader.commit(unread).with(unread.readTo(unread.facts().getLast())).run().orThrow();
            }
        }
        return delays;
    }
}
