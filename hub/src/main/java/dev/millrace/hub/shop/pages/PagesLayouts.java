package dev.millrace.hub.shop.pages;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The keys of cached pages. What the key description does not have begins with {@code millrace:}.
 * All of them end by themselves, with the last page in them.
 */
public final class PagesLayouts {
    static final Cell BODY =
            cell(KeyType.STRING, "cache:{hash:opaque}")
                    .ownedBy("hash")
                    .about("A web page, as the application sent it; ends when it is of no use.");

    static final Cell PAGE =
            cell(KeyType.STRING, "millrace:page:{hash:opaque}")
                    .ownedBy("hash")
                    .about(
                            "What is known of a page: status, headers, times, tags; or why there"
                                    + " is none, as JSON.");

    static final Cell FETCH =
            cell(KeyType.STRING, "millrace:page-fetch:{hash:opaque}")
                    .ownedBy("hash")
                    .about("Who asks the application for a page; for some seconds.");

    static final Cell GROUP =
            cell(KeyType.SORTED_SET, "millrace:page-group:{group:item}")
                    .livesWith("page", UnaryOperator.identity())
                    .about("The pages of an address, an item or a tag, by when they end, in ms.");

    static final Cell PAGES =
            cell(KeyType.SORTED_SET, "millrace:pages")
                    .livesWith("page", UnaryOperator.identity())
                    .about("All pages, by when they end, in ms.");

    static final Cell SIZES =
            cell(KeyType.HASH, "millrace:page-sizes")
                    .livesWith("page")
                    .about("The bytes of each page, and of all.");

    static final Cell PURGED =
            cell(KeyType.SORTED_SET, "millrace:page-purges")
                    .livesWith("page")
                    .about("What was purged lately, by when, in µs.");

    private PagesLayouts() {}

    private static Cell cell(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL);
    }

    public static List<Declaration> all() {
        return List.of(BODY, PAGE, FETCH, GROUP, PAGES, SIZES, PURGED);
    }
}
