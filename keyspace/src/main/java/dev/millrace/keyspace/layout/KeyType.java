package dev.millrace.keyspace.layout;

import java.util.Locale;

/** What kind of value Redis keeps at a key. */
public enum KeyType {
    STRING("String"),
    HASH("Hash"),
    SET("Set"),
    SORTED_SET("Sorted set"),
    LIST("List"),
    STREAM("Stream");

    private final String words;

    KeyType(String words) {
        this.words = words;
    }

    /** For tables that people read. */
    public String words() {
        return words;
    }

    /** The name that the command TYPE gives it. */
    public String redisName() {
        return this == SORTED_SET ? "zset" : words.toLowerCase(Locale.ROOT);
    }
}
