package dev.millrace.keyspace.feed;

/**
 * Something that happened, as a commit wrote it into a feed.
 *
 * @param shard where it happened
 * @param number its place in the shard's sequence, which has no gaps
 * @param time server time in milliseconds
 */
public record Fact(int shard, long number, long time, byte[] body) {}
