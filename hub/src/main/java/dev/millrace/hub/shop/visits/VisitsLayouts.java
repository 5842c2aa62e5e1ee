package dev.millrace.hub.shop.visits;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The keys of sessions, views and carts. What the key description does not have begins with {@code
 * millrace:}; a program that knows only the others sees all it expects.
 */
public final class VisitsLayouts {
    public static final Cell LOGIN =
            cell(KeyType.HASH, "login:")
                    .livesWith("token", UnaryOperator.identity())
                    .about("Who is who: token to user.");

    public static final Cell RECENT =
            cell(KeyType.SORTED_SET, "recent:")
                    .livesWith("token", UnaryOperator.identity())
                    .about("Tokens by the time they were seen last.");

    static final Cell VIEWED =
            cell(KeyType.SORTED_SET, "viewed:{token:opaque}")
                    .ownedBy("token")
                    .about("What this visitor looked at, by time.");

    static final Cell POPULAR =
            cell(KeyType.SORTED_SET, "viewed:")
                    .livesWith("item", UnaryOperator.identity())
                    .about("Items by how often they are looked at, as a negative number.");

    public static final Cell CART =
            cell(KeyType.HASH, "cart:{token:opaque}")
                    .ownedBy("token")
                    .about("What this visitor wants: item to quantity.");

    public static final Cell SESSION =
            cell(KeyType.HASH, "millrace:session:{token:opaque}")
                    .ownedBy("token")
                    .about(
                            "What a session has besides its user: when it was made, its lifetime,"
                                    + " its attributes.");

    public static final Cell ENDS =
            cell(KeyType.SORTED_SET, "millrace:session-ends")
                    .livesWith("token", UnaryOperator.identity())
                    .about("Tokens by the time when it is looked whether they are still in use.");

    static final Cell OF_USER =
            cell(KeyType.SORTED_SET, "millrace:user-sessions:{user:item}")
                    .livesWith("token", UnaryOperator.identity())
                    .about("The tokens of a user, by when they became his.");

    static final Cell CLEANED =
            cell(KeyType.STRING, "millrace:sessions-cleaned")
                    .livesWith("token")
                    .about("How many sessions were removed because of their age or number.");

    static final Cell RESCALED =
            cell(KeyType.STRING, "millrace:rescaled")
                    .livesWith("item")
                    .about("When the popularity of items was halved last, in s.");

    public static final Cell CART_STATE =
            cell(KeyType.HASH, "millrace:cart:{token:opaque}")
                    .ownedBy("token")
                    .about("The version of a cart, and when it was changed.");

    public static final Cell CART_ONCE =
            cell(KeyType.STRING, "millrace:cart-once:{token:opaque}:{digest:opaque}")
                    .ownedBy("token")
                    .about("The answer to a change that carried an idempotency key, for a day.");

    private VisitsLayouts() {}

    private static Cell cell(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL);
    }

    public static List<Declaration> all() {
        return List.of(
                LOGIN,
                RECENT,
                VIEWED,
                POPULAR,
                CART,
                SESSION,
                ENDS,
                OF_USER,
                CLEANED,
                RESCALED,
                CART_STATE,
                CART_ONCE);
    }
}
