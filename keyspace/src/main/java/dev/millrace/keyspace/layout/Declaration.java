package dev.millrace.keyspace.layout;

import java.util.List;

/** Something that owns keys: a {@link Layout}, a {@link Cell} or a {@link Leftover}. */
public sealed interface Declaration permits Layout, Cell, Leftover {
    /**
     * The owner of what is small and belongs together. A name like any other, so that a binding may
     * give it too: an alarm lives with the source it watches, and some sources are the site's.
     */
    String SITE = "site";

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
