package dev.millrace.hub.history.batches;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The keys of batches. The number of a batch is chosen so that it lives where its samples do: one
 * commit writes both.
 */
public final class BatchLayouts {
    static final Cell BATCH =
            Cell.of(KeyType.STRING, "history:batch:{batch_id:shortname}", KeyGrammars.ALL)
                    .ownedBy("batch_id")
                    .about(
                            "Samples on their way to another store, as JSON; expires once it is"
                                    + " written or has failed.");

    private static final Cell CREATED =
            index("hissrv:batches:created", "Batches that wait, by when they were made.");

    private static final Cell WRITTEN =
            index("hissrv:batches:written", "Those that were written, by when that was.");

    private static final Cell FAILED =
            index("hissrv:batches:failed", "Those that have failed, by when that was.");

    private static final Cell DUE =
            index("hissrv:batches:due", "Batches that wait, by when somebody looks after them.");

    private BatchLayouts() {}

    private static Cell index(String pattern, String about) {
        return Cell.of(KeyType.SORTED_SET, pattern, KeyGrammars.ALL)
                .livesWith("batch_id", UnaryOperator.identity())
                .about(about);
    }

    static Cell.Key batch(String id) {
        return BATCH.at(id);
    }

    /**
     * All that are so far.
     *
     * @param owner a batch, or anybody else who lives in the same place
     */
    static Cell.Key all(BatchStatus status, String owner) {
        return switch (status) {
            case CREATED -> CREATED.of(owner);
            case WRITTEN -> WRITTEN.of(owner);
            case FAILED -> FAILED.of(owner);
        };
    }

    static Cell.Key due(String owner) {
        return DUE.of(owner);
    }

    public static List<Declaration> all() {
        return List.of(BATCH, CREATED, WRITTEN, FAILED, DUE);
    }
}
