package dev.millrace.hub.shop.rows;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The database that is there when nobody names another: an embedded one below {@code data.dir}. */
final class OnBoard {
    private static final List<String> KINDS =
            List.of("Tablet", "Phone", "Reader", "Watch", "Speaker", "Camera", "Keyboard", "Lamp");
    private static final List<Integer> IDS_OF_THE_SEED = List.of(237, 273);
    private static final int OTHERS = 40;

    private OnBoard() {}

    static String url(Path dataDir) {
        // It ends with its last connection, and so with the hub.
        return "jdbc:h2:file:%s;DB_CLOSE_ON_EXIT=FALSE"
                .formatted(dataDir.toAbsolutePath().normalize().resolve("shop").resolve("rows"));
    }

    /** Makes the table of the first key description, and fills it if it is empty. */
    static void prepare(Connection connection, boolean demo) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    """
                    CREATE TABLE IF NOT EXISTS inv (
                        id INTEGER PRIMARY KEY,
                        name VARCHAR(200) NOT NULL,
                        description VARCHAR(2000) NOT NULL,
                        qty INTEGER NOT NULL,
                        price DECIMAL(10, 2) NOT NULL)
                    """);
            try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM inv")) {
                if (!demo || !count.next() || count.getInt(1) > 0) {
                    return;
                }
            }
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO inv VALUES (?, ?, ?, ?, ?)")) {
            List<Integer> ids =
                    IntStream.concat(
                                    IntStream.rangeClosed(1, OTHERS),
                                    IDS_OF_THE_SEED.stream().mapToInt(Integer::intValue))
                            .boxed()
                            .toList();
            for (int id : ids) {
                boolean seed = IDS_OF_THE_SEED.getLast() == id;
                String kind = seed ? KINDS.getFirst() : KINDS.get(id % KINDS.size());
                insert.setInt(1, id);
                insert.setString(2, seed ? "GTab 7inch" : kind + " " + id);
                insert.setString(3, "A %s for every day.".formatted(kind.toLowerCase(Locale.ROOT)));
                insert.setInt(4, seed ? 629 : id * 37 % 100);
                insert.setBigDecimal(5, BigDecimal.valueOf(999L + id * 1237L % 40000, 2));
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
