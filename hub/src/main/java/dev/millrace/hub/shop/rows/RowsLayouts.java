package dev.millrace.hub.shop.rows;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;

import java.util.List;

/** The keys of cached rows. */
public final class RowsLayouts {
    static final Cell INVENTORY_ROW =
            cell(KeyType.STRING, "inv:{row:item}")
                    .ownedBy("row")
                    .about("A row of the shop's database, as JSON.");

    static final Cell ROW =
            cell(KeyType.STRING, "row:{table:shortname}:{row:item}")
                    .ownedBy("row")
                    .about("A row of another table, as JSON.");

    static final Cell DELAY =
            cell(KeyType.SORTED_SET, "delay:")
                    .livesWith("row", RowName::idOf)
                    .about("Rows by the seconds between two refreshes.");

    static final Cell SCHEDULE =
            cell(KeyType.SORTED_SET, "schedule:")
                    .livesWith("row", RowName::idOf)
                    .about("Rows by the time when they are refreshed next.");

    static final Cell STATE =
            cell(KeyType.HASH, "millrace:row:{table:shortname}:{row:item}")
                    .ownedBy("row")
                    .about(
                            "When a row was loaded, how often that failed since, or that there is"
                                    + " none.");

    static final Cell LOADING =
            cell(KeyType.STRING, "millrace:row-loading:{table:shortname}:{row:item}")
                    .ownedBy("row")
                    .about("Who loads a row at this moment; for some seconds.");

    private RowsLayouts() {}

    private static Cell cell(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL);
    }

    public static List<Declaration> all() {
        return List.of(INVENTORY_ROW, ROW, DELAY, SCHEDULE, STATE, LOADING);
    }
}
