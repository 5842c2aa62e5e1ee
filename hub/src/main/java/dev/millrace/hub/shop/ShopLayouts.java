package dev.millrace.hub.shop;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The keys of sessions, views, carts, cached rows and cached pages. */
public final class ShopLayouts {
    static final Cell LOGIN =
            cell(KeyType.HASH, "login:")
                    .livesWith("token", UnaryOperator.identity())
                    .about("Who is who: token to user.");

    static final Cell RECENT =
            cell(KeyType.SORTED_SET, "recent:")
                    .livesWith("token", UnaryOperator.identity())
                    .about("Tokens by the time they were seen last.");

    static final Cell VIEWED =
            cell(KeyType.SORTED_SET, "viewed:{token:opaque}")
                    .ownedBy("token")
                    .about("What this visitor looked at, by time.");

    static final Cell POPULAR =
            cell(KeyType.SORTED_SET, "viewed:")
                    .livesWith("token")
                    .about("Items by how often they are looked at, as a negative number.");

    static final Cell CART =
            cell(KeyType.HASH, "cart:{token:opaque}")
                    .ownedBy("token")
                    .about("What this visitor wants: item to quantity.");

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
                    .livesWith("row", UnaryOperator.identity())
                    .about("Rows by the seconds between two refreshes.");

    static final Cell SCHEDULE =
            cell(KeyType.SORTED_SET, "schedule:")
                    .livesWith("row", UnaryOperator.identity())
                    .about("Rows by the time when they are refreshed next.");

    static final Cell PAGE =
            cell(KeyType.STRING, "cache:{hash:opaque}")
                    .ownedBy("hash")
                    .expires(Duration.ofMinutes(5))
                    .about("A web page; kept for five minutes.");

    private ShopLayouts() {}

    private static Cell cell(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL);
    }

    public static List<Declaration> all() {
        return List.of(
                LOGIN, RECENT, VIEWED, POPULAR, CART, INVENTORY_ROW, ROW, DELAY, SCHEDULE, PAGE);
    }
}
