package dev.millrace.keyspace.backup.rdb;

import java.util.List;

/** What is in a key, or in a part of it. */
public sealed interface Body {

    /** A string; always whole. */
    record Text(byte[] bytes) implements Body {}

    /**
     * Elements of a list.
     *
     * @param from how many come before them
     */
    record Items(long from, List<byte[]> items) implements Body {}

    /** Members of a set. */
    record Members(List<byte[]> members) implements Body {}

    /** Fields of a hash: name, value, name, value. */
    record Fields(List<byte[]> flat) implements Body {}

    /** Members of a sorted set. */
    record Scores(List<Scored> members) implements Body {}

    /** Entries of a stream. */
    record Entries(List<StreamEntry> entries) implements Body {}

    /** All of a stream that is not in its entries; comes after them, once. */
    record StreamState(
            StreamId last, StreamId maxDeleted, long entriesAdded, List<StreamGroup> groups)
            implements Body {
        public StreamState {
            groups = List.copyOf(groups);
        }
    }

    /** A member of a sorted set. */
    record Scored(byte[] member, double score) {}

    /** One entry of a stream. */
    record StreamEntry(StreamId id, List<byte[]> flat) {}

    /** The number of an entry; both halves are unsigned. */
    record StreamId(long millis, long sequence) {
        @Override
        public String toString() {
            return Long.toUnsignedString(millis) + "-" + Long.toUnsignedString(sequence);
        }
    }

    /** A consumer group. {@code entriesRead} is -1 where the server does not know. */
    record StreamGroup(
            byte[] name,
            StreamId last,
            long entriesRead,
            List<byte[]> consumers,
            List<Pending> pending) {}

    /** An entry that was given to a consumer, by its place in the list, and not acknowledged. */
    record Pending(StreamId id, int consumer, long deliveredAt, long deliveries) {}
}
