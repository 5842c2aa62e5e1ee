package dev.millrace.keyspace.feed;

import java.util.List;

/** What happened since a cursor: the facts, or the advice to load everything anew. */
public sealed interface Changes {

    /**
     * The facts in the order of each shard, shards one after another.
     *
     * @param next the cursor behind them
     * @param more whether there are more to be read at once
     */
    record Facts(List<Fact> facts, FeedCursor next, boolean more) implements Changes {}

    /** The cursor is of no use: too old, or from before the server may have lost writes. */
    record Reload(String why) implements Changes {}
}
