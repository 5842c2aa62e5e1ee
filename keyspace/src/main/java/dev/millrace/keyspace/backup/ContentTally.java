package dev.millrace.keyspace.backup;

import dev.millrace.keyspace.backup.file.Checksum;
import dev.millrace.keyspace.backup.file.ContentSum;
import dev.millrace.keyspace.backup.rdb.Body;
import dev.millrace.keyspace.backup.rdb.Part;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts content and sums it up, apart for every minute in which keys expire: two tallies that were
 * taken at different times are compared without what has expired in between. For one thread.
 */
final class ContentTally {
    private static final long MINUTE = 60_000;

    private final ContentSum sums = new ContentSum();
    private final Map<Long, Checksum> byMinute = new HashMap<>();
    private final Sorting sorting;
    private long keys;
    private long elements;

    ContentTally(Sorting sorting) {
        this.sorting = sorting;
    }

    void add(Part part) {
        keys += part.last() ? 1 : 0;
        elements += size(part.body());
        Checksum sum = sums.of(part, sorting.split(part.key()));
        byMinute.merge(minute(part), sum, Checksum::plus);
    }

    /** It is not there after all: another one with its name was kept. */
    void takeBack(Part part) {
        keys -= part.last() ? 1 : 0;
        elements -= size(part.body());
        Checksum sum = sums.of(part, sorting.split(part.key()));
        byMinute.merge(minute(part), Checksum.ZERO.minus(sum), Checksum::plus);
    }

    void add(ContentTally other) {
        keys += other.keys;
        elements += other.elements;
        other.byMinute.forEach((minute, sum) -> byMinute.merge(minute, sum, Checksum::plus));
    }

    private static long minute(Part part) {
        return part.expires() ? part.expireAt() / MINUTE : Part.NEVER;
    }

    private static long size(Body body) {
        return switch (body) {
            case Body.Text text -> 1;
            case Body.Items items -> items.items().size();
            case Body.Members members -> members.members().size();
            case Body.Fields fields -> fields.flat().size() / 2;
            case Body.Scores scores -> scores.members().size();
            case Body.Entries entries -> entries.entries().size();
            case Body.StreamState state -> 0;
        };
    }

    long keys() {
        return keys;
    }

    long elements() {
        return elements;
    }

    Checksum checksum() {
        return byMinute.values().stream().reduce(Checksum.ZERO, Checksum::plus);
    }

    /** Of what does not expire until then, or in the same minute. */
    Checksum livingAfter(long millis) {
        return byMinute.entrySet().stream()
                .filter(each -> each.getKey() == Part.NEVER || each.getKey() > millis / MINUTE)
                .map(Map.Entry::getValue)
                .reduce(Checksum.ZERO, Checksum::plus);
    }
}
