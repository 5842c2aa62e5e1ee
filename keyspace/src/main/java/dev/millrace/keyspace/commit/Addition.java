package dev.millrace.keyspace.commit;

/**
 * Checks and writes that belong together, such as a fact or an item of a schedule: made by whoever
 * knows their keys, put into a commit by {@link Commit#with}.
 */
@FunctionalInterface
public interface Addition {
    void into(Basket basket);
}
