package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Cell;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Up to which hour roll-ups are made, in each shard. An hour is first closed and then rolled up:
 * who writes a sample of a closed hour says that its roll-ups are due again, and checks in the same
 * commit that no more hours were closed meanwhile. So no sample is forgotten, whoever is faster.
 * What is remembered here is only believed by such a commit. Thread-safe.
 */
public final class Marks {
    static final String CLOSING = "closing";
    static final String DONE = "done";

    /** Samples of hours before this one were removed, because there was too much. */
    static final String FLOOR = "floor";

    private final Keyspace keyspace;
    private final Map<Integer, Closed> known = new ConcurrentHashMap<>();

    public Marks(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** The first hour that is not closed, as it stands there; empty if none is. */
    record Closed(String text, long hour, long floor) {
        boolean has(long other) {
            return other < hour;
        }

        /** The commit holds only if this is still so. */
        void check(Commit commit, int shard) {
            Cell.Key key = HistoryLayouts.rollups(shard);
            if (text.isEmpty()) {
                commit.fieldAbsent(key, CLOSING);
            } else {
                commit.fieldEquals(key, CLOSING, text);
            }
        }
    }

    Closed closed(int shard) {
        return known.computeIfAbsent(shard, this::read);
    }

    private Closed read(int shard) {
        Map<String, String> fields =
                keyspace.cells().hash(HistoryLayouts.rollups(shard)).answer().or(Map.of());
        String text = fields.getOrDefault(CLOSING, "");
        return new Closed(
                text,
                hour(text).orElse(Long.MIN_VALUE),
                hour(fields.getOrDefault(FLOOR, "")).orElse(Long.MIN_VALUE));
    }

    /**
     * Samples before this time, in ms, are taken no more: others of their hour were removed, and
     * roll-ups made of what is left would be wrong. As it was an hour ago at the worst.
     */
    public long floor(int shard) {
        long hour = closed(shard).floor;
        return hour == Long.MIN_VALUE ? Long.MIN_VALUE : Hours.start(hour);
    }

    static Optional<Long> hour(String stamp) {
        return stamp.matches("[0-9]{10}") ? Optional.of(Hours.parse(stamp)) : Optional.empty();
    }

    void forget(int shard) {
        known.remove(shard);
    }

    /** An hour of a series, as it stands among those that are due. */
    static String due(SeriesName series, long hour) {
        return series.text() + ":" + Hours.stamp(hour);
    }
}
