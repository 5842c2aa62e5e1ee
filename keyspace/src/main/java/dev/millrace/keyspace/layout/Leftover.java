package dev.millrace.keyspace.layout;

import dev.millrace.keyspace.pattern.Grammars;
import dev.millrace.keyspace.pattern.KeyPattern;

import java.util.List;

/**
 * Keys that another system leaves behind when its database is taken over, and that hold nothing of
 * their own: an index that nobody reads, an object that its user had deleted already. They are
 * declared, so that nobody else takes these names, so that the key reference says what they are,
 * and so that a check names them and a repair removes them. Nothing can write one: a commit takes
 * cells and layouts.
 *
 * <p>What is declared so is removed without being read. So it has to be certain, from how the other
 * system works, that everything in it is somewhere else too or was deleted; the sentence says why.
 * Immutable, thread-safe.
 */
public final class Leftover implements Declaration {
    private final KeyPattern pattern;
    private final KeyType type;
    private final String why;

    private Leftover(KeyPattern pattern, KeyType type, String why) {
        this.pattern = pattern;
        this.type = type;
        this.why = why;
    }

    /**
     * Keys of this type and pattern are left over; one of another type is reported, never removed.
     *
     * @param why they may go, in a sentence
     */
    public static Leftover of(KeyType type, String pattern, String why) {
        return new Leftover(KeyPattern.of(pattern, Grammars.standard()), type, why);
    }

    @Override
    public String name() {
        return pattern.text();
    }

    @Override
    public String about() {
        return why;
    }

    public KeyType type() {
        return type;
    }

    KeyPattern pattern() {
        return pattern;
    }

    @Override
    public List<Spot> spots() {
        return List.of(new Spot(this, pattern, type, Spot.Role.LEFTOVER, "", ""));
    }

    @Override
    public List<String> losesTo() {
        return List.of();
    }

    @Override
    public void freeze() {
        if (why.isBlank()) {
            throw new IllegalArgumentException(
                    "The leftover " + name() + " does not say why it may go.");
        }
        if (pattern.tagged()) {
            throw new IllegalArgumentException(
                    "The leftover " + name() + " carries a hash tag, which no shard has.");
        }
    }

    @Override
    public String toString() {
        return "leftover " + pattern;
    }
}
