package dev.millrace.keyspace;

import java.util.List;

/** Something that owns keys: a {@link Layout}, a {@link Cell} or a {@link Leftover}. */
public sealed interface Declaration permits Layout, Cell, Leftover {

    String name();

    /** One sentence for the key reference. */
    String about();

    /** Every pattern it uses, the value's first. */
    List<Spot> spots();

    /** Patterns, by their text, to which its keys give way. */
    List<String> losesTo();

    /** Checks that the declaration is complete; nothing can be changed afterwards. */
    void freeze();
}
