package dev.millrace.keyspace.feed;

import dev.millrace.keyspace.redis.Replies;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How full a feed is, and how its durable readers are doing, over all shards.
 *
 * @param bytes of all facts that are kept
 * @param fullest bytes in the shard that has most of them, to be compared with the topic's limits
 */
public record FeedHealth(long bytes, long fullest, List<Reader> readers) {

    /**
     * One durable reader.
     *
     * @param unread facts that wait for it
     * @param since when the oldest of them was announced
     * @param lost facts that were dropped before it read them, and that it has not made good yet
     */
    public record Reader(
            String name, Topic.Behind policy, long unread, Optional<Instant> since, long lost) {

        private Reader and(Reader other) {
            return new Reader(
                    name,
                    policy,
                    unread + other.unread,
                    since.isEmpty() || other.since.filter(since.get()::isAfter).isPresent()
                            ? other.since
                            : since,
                    lost + other.lost);
        }
    }

    static FeedHealth of(List<List<?>> shards) {
        long bytes = 0;
        long fullest = 0;
        Map<String, Reader> readers = new TreeMap<>();
        for (List<?> shard : shards) {
            List<String> words = shard.stream().map(Replies::textOrEmpty).toList();
            long last = Long.parseLong(words.get(0));
            long size = Long.parseLong(words.get(1));
            bytes += size;
            fullest = Math.max(fullest, size);
            for (int i = 2; i + 3 < words.size(); i += 4) {
                Reader reader = reader(last, words.subList(i, i + 4));
                readers.merge(reader.name, reader, Reader::and);
            }
        }
        return new FeedHealth(bytes, fullest, new ArrayList<>(readers.values()));
    }

    private static Reader reader(long last, List<String> words) {
        String[] cursor = words.get(1).split(" ", 2);
        long first = Long.parseLong(words.get(3));
        return new Reader(
                words.get(0),
                Topic.Behind.of(cursor[1]),
                Math.max(0, last - Long.parseLong(cursor[0])),
                first == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(first)),
                words.get(2).isEmpty() ? 0 : FeedReader.gap(words.get(2)).size());
    }
}
