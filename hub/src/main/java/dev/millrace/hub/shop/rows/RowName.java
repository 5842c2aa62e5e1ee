package dev.millrace.hub.shop.rows;

import dev.millrace.hub.shop.visits.Names;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which row of which table. In {@code delay:} and {@code schedule:} rows of the first table stand
 * by their id alone, as the key description has it, those of others as {@code row:{table}:{id}}.
 */
record RowName(String table, String id) {
    /** The table whose rows are {@code inv:{id}}. */
    static final String FIRST = "inv";

    private static final Pattern OTHER =
            Pattern.compile("row:([A-Za-z0-9][A-Za-z0-9_.-]*):(.+)", Pattern.DOTALL);

    static RowName ofMember(String member) {
        Matcher other = OTHER.matcher(member);
        return other.matches()
                ? new RowName(other.group(1), other.group(2))
                : new RowName(FIRST, member);
    }

    static String idOf(String member) {
        return ofMember(member).id;
    }

    /** Whether there can be such a row: one of the first table must not look like another's. */
    boolean isRight() {
        return Names.isItem(id) && !(table.equals(FIRST) && OTHER.matcher(id).matches());
    }

    String member() {
        return table.equals(FIRST) ? id : "row:" + table + ":" + id;
    }
}
