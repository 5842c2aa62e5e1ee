package dev.millrace.hub.shop.rows;

/** Told that a row is not what it was; pages made from it may be out of date. */
@FunctionalInterface
public interface RowChanges {
    /**
     * It is different in the database, or not there any more. Must not block for long.
     *
     * @param table as the shop calls it, {@code inv} for the first one
     */
    void changed(String table, String id);
}
