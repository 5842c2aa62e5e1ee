package dev.millrace.hub.history.batches;

import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Puts what is recorded into a batch, in the commit that records it. Thread-safe. */
public final class BatchWriter {
    private static final int FIRST_NUMBERS = 1_000_000;

    private final Keyspace keyspace;
    private final BatchSettings settings;
    private final InstantSource clock;
    private final Counter made;

    /** Begins anywhere: hubs that take over from each other within a second do not meet. */
    private final AtomicLong number =
            new AtomicLong(ThreadLocalRandom.current().nextInt(FIRST_NUMBERS));

    public BatchWriter(
            Keyspace keyspace, BatchSettings settings, MeterRegistry figures, InstantSource clock) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.clock = clock;
        this.made =
                Counter.builder("millrace.history.batches.created")
                        .description("Batches of samples that were made for another store.")
                        .register(figures);
    }

    /** The batch of one step. */
    public Draft draft() {
        return new Draft(this);
    }

    /** A batch that is being made; nothing where there are none. For one thread. */
    public static final class Draft {
        /** Names of members, a time and a number. */
        private static final int BYTES_OF_A_SAMPLE = 128;

        /** The longest that JSON makes of a character. */
        private static final int BYTES_OF_A_CHARACTER = 6;

        private final BatchWriter writer;
        private final List<Batch.Item> items = new ArrayList<>();

        private Draft(BatchWriter writer) {
            this.writer = writer;
        }

        /** How much larger a sample makes it, at most. */
        public int bytes(SeriesName series, Sample sample) {
            return writer.settings.on()
                    ? BYTES_OF_A_SAMPLE
                            + series.id().length()
                            + BYTES_OF_A_CHARACTER
                                    * (series.field().length() + sample.text().length())
                    : 0;
        }

        public void add(SeriesName series, Sample sample) {
            if (writer.settings.on()) {
                items.add(new Batch.Item(series, sample));
            }
        }

        /** Puts it into the commit that stores its samples. */
        public void into(Commit commit, int shard) {
            if (!items.isEmpty()) {
                writer.write(commit, shard, items);
            }
        }
    }

    private void write(Commit commit, int shard, List<Batch.Item> items) {
        long now = clock.millis();
        String id = id(now, shard);
        commit.absent(BatchLayouts.batch(id))
                .set(BatchLayouts.batch(id), Batch.of(id, now, items).write())
                .addSorted(BatchLayouts.all(BatchStatus.CREATED, id), (double) now, id)
                .addSorted(
                        BatchLayouts.due(id), (double) (now + settings.retryAfter().toMillis()), id)
                .afterwards(
                        outcome -> {
                            if (outcome.isStored()) {
                                made.increment();
                            }
                        });
    }

    /** One that lives in this shard. */
    private String id(long now, int shard) {
        boolean anywhere = !keyspace.redis().cluster();
        while (true) {
            String id = "batch_%d_%d".formatted(now / 1000, number.incrementAndGet());
            if (anywhere || Shards.shard(id) == shard) {
                return id;
            }
        }
    }
}
