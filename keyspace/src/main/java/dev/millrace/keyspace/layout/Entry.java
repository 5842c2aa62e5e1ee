package dev.millrace.keyspace.layout;

/** One entry of an entity in one index. The key is without a shard's prefix. */
public sealed interface Entry {

    String key();

    /** In a sorted set. */
    record Sorted(String key, double score, String member) implements Entry {}

    /** In a plain set. */
    record Member(String key, String member) implements Entry {}

    /** In a hash from a unique field to the id that has it. */
    record Unique(String key, String field, String id) implements Entry {}

    /** A score as Redis prints it: whole numbers without a point. */
    static String score(double score) {
        long whole = (long) score;
        return whole == score ? Long.toString(whole) : Double.toString(score);
    }
}
