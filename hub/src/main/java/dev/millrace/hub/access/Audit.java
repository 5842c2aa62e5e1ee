package dev.millrace.hub.access;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.outcome.Outcome;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Who changed what, from where, when and with which result: the feed {@code audit}. What is changed
 * in Redis carries its entry in the same commit ({@link #carry}), so that there is neither without
 * the other; what happens elsewhere (a log level, a backup) is {@link #record recorded} afterwards.
 * A year is kept, and not more than some megabytes. Thread-safe.
 */
public final class Audit {
    /** About 50 000 entries. */
    private static final long KEPT_BYTES = 8L << 20;

    /** For live pages and others that read along. */
    public static final Topic TOPIC =
            Topic.named("audit").keeping(Duration.ofDays(365), KEPT_BYTES, 2 * KEPT_BYTES);

    /** The most that {@link #latest} gives. */
    public static final int MOST = 1000;

    private static final int LONGEST = 500;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Keyspace keyspace;

    public Audit(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /**
     * One line of the audit.
     *
     * @param what a verb and its object: {@code token made}, {@code log level changed}
     * @param about to which thing: {@code grafana (k3v9x2ma)}
     * @param result {@code done}, or what went wrong
     */
    public record Entry(
            Instant at, String who, String from, String what, String about, String result) {}

    /** As it lies in the feed, whose facts have their time by themselves. */
    private record Line(String who, String from, String what, String about, String result) {}

    /** Puts an entry into a commit of its own. */
    public Outcome<Long> record(Actor by, String what, String about, String result) {
        return carry(keyspace.commitAtSite(), by, what, about, result).run();
    }

    /** Puts an entry into a commit of somebody's, and gives that back. */
    public Commit carry(Commit commit, Actor by, String what, String about, String result) {
        Line line = new Line(cut(by.who()), cut(by.from()), cut(what), cut(about), cut(result));
        return commit.with(keyspace.feed(TOPIC).fact(JSON.writeValueAsBytes(line)));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /** The newest entries, newest first. */
    public List<Entry> latest(int most) {
        Feed feed = keyspace.feed(TOPIC);
        FeedCursor end = feed.now();
        int wanted = Math.clamp(most, 1, MOST);
        Optional<List<Fact>> all = lastOf(feed, end, wanted);
        // Older ones were dropped: look for how far back there are some, by halves.
        int kept = 0;
        int dropped = wanted;
        List<Fact> facts = all.orElse(List.of());
        while (all.isEmpty() && dropped - kept > 1) {
            int middle = (kept + dropped) >>> 1;
            Optional<List<Fact>> found = lastOf(feed, end, middle);
            facts = found.orElse(facts);
            kept = found.isPresent() ? middle : kept;
            dropped = found.isPresent() ? dropped : middle;
        }
        List<Entry> entries = new ArrayList<>();
        facts.stream()
                .sorted(
                        Comparator.comparingLong(Fact::time)
                                .thenComparingLong(Fact::number)
                                .reversed())
                .limit(wanted)
                .forEach(fact -> entry(fact).ifPresent(entries::add));
        return entries;
    }

    private static Optional<List<Fact>> lastOf(Feed feed, FeedCursor end, int count) {
        List<Long> from = end.numbers().stream().map(last -> Math.max(0, last - count)).toList();
        return switch (feed.since(new FeedCursor(end.epoch(), from), count)) {
            case Changes.Facts found -> Optional.of(found.facts());
            case Changes.Reload reload -> Optional.empty();
        };
    }

    private static Optional<Entry> entry(Fact fact) {
        try {
            Line line = JSON.readValue(fact.body(), Line.class);
            return Optional.of(
                    new Entry(
                            Instant.ofEpochMilli(fact.time()),
                            line.who,
                            line.from,
                            line.what,
                            line.about,
                            line.result));
        } catch (JacksonException e) {
            return Optional.empty(); // written by another version
        }
    }
}
