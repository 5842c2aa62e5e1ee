package dev.millrace.hub.shop.rows;

import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A table of the database whose rows are given out.
 *
 * @param name in the database, perhaps with its schema
 * @param key the column by which rows are found
 * @param columns that are given out; all if none is named
 */
public record RowTable(String name, String key, List<String> columns) {
    /** Names go into statements as they are, so they are names and nothing else. */
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,62}(\\.[A-Za-z_][A-Za-z0-9_$]{0,62}){0,2}");

    private static final Pattern COLUMN = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,62}");
    private static final int MOST_COLUMNS = 200;

    public RowTable {
        columns = List.copyOf(columns);
    }

    /**
     * Reads {@code shop.price/sku/sku+amount+currency}: table, key column and, if not all, the
     * columns.
     */
    public static RowTable of(String text) {
        String[] parts = text.split("/", -1);
        List<String> columns = parts.length < 3 ? List.of() : List.of(parts[2].split("\\+", -1));
        boolean right =
                (parts.length == 2 || parts.length == 3)
                        && NAME.matcher(parts[0]).matches()
                        && COLUMN.matcher(parts[1]).matches()
                        && columns.size() <= MOST_COLUMNS
                        && columns.stream().allMatch(each -> COLUMN.matcher(each).matches());
        if (!right) {
            throw new IllegalArgumentException(
                    "'%s' does not name a table; write table/key-column, or".formatted(text)
                            + " table/key-column/column+column.");
        }
        return new RowTable(parts[0], parts[1], columns);
    }

    /** Asks for so many rows; the key comes first, whether it is given out or not. */
    String query(int rows) {
        String some =
                columns.isEmpty()
                        ? "t.*"
                        : columns.stream().map("t."::concat).collect(Collectors.joining(", "));
        return "SELECT t.%s, %s FROM %s t WHERE t.%s IN (%s)"
                .formatted(key, some, name, key, String.join(", ", Collections.nCopies(rows, "?")));
    }

    /** Gives no rows, but the type of the key. */
    String probe() {
        return "SELECT t.%s FROM %s t WHERE 1 = 0".formatted(key, name);
    }
}
