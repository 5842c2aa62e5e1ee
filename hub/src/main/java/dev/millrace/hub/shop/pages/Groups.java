package dev.millrace.hub.shop.pages;

import java.util.ArrayList;
import java.util.List;

/** What pages have in common, by which they are purged together. */
final class Groups {
    static final String ALL = "all";

    private Groups() {}

    /**
     * The variants of one address.
     *
     * @param hash of the address
     */
    static String url(String hash) {
        return "url:" + hash;
    }

    static String item(String item) {
        return "item:" + item;
    }

    static String tag(String tag) {
        return "tag:" + tag;
    }

    /** Those of what is known, that of its address first. */
    static List<String> of(Known known) {
        List<String> groups = new ArrayList<>();
        groups.add(url(known.address()));
        groups.add(item(known.item()));
        if (known instanceof Known.Kept kept) {
            kept.tags().forEach(tag -> groups.add(tag(tag)));
        }
        return groups;
    }
}
