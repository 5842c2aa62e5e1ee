package dev.millrace.hub.shop.pages.rfc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a client has already, compared with a page (RFC 9110, 13). */
public final class Conditions {
    /** In small letters: they ask for something else than the whole page. */
    public static final Set<String> OF_CLIENTS =
            Set.of("if-none-match", "if-modified-since", "if-range", "range");

    /** In small letters: what an answer without a body still says about the page. */
    private static final Set<String> NOT_IN_304 =
            Set.of(
                    "content-length",
                    "content-type",
                    "content-encoding",
                    "content-language",
                    "content-range",
                    "last-modified");

    private Conditions() {}

    /** Whether the client wants to hear of changes only. */
    public static boolean has(Fields asked) {
        return asked.has("If-None-Match") || asked.has("If-Modified-Since");
    }

    /** Whether the client has this very page, so that telling it so is enough. */
    public static boolean hasIt(Fields asked, Fields page) {
        if (asked.has("If-None-Match")) {
            String given = asked.joined("If-None-Match");
            Optional<String> tag = page.first("ETag");
            return given.strip().equals("*")
                    || (tag.isPresent() && tags(given).contains(weak(tag.get())));
        }
        Optional<Long> since = asked.first("If-Modified-Since").flatMap(HttpDate::read);
        Optional<Long> changed = changed(page);
        return since.isPresent() && changed.isPresent() && changed.get() <= since.get();
    }

    private static Optional<Long> changed(Fields page) {
        return page.first("Last-Modified")
                .flatMap(HttpDate::read)
                .or(() -> page.first("Date").flatMap(HttpDate::read));
    }

    /** What tells a client that it has the page: its headers, without those of a body. */
    public static Fields notModified(Fields page) {
        return page.has("ETag")
                ? page.without(NOT_IN_304)
                : page.without(
                        Set.of(
                                "content-length",
                                "content-type",
                                "content-encoding",
                                "content-language",
                                "content-range"));
    }

    /** Whether a part of the page is of use to somebody who has another part already. */
    static boolean samePage(String ifRange, Fields page) {
        String wanted = ifRange.strip();
        if (wanted.startsWith("\"")) {
            return page.first("ETag").filter(wanted::equals).isPresent();
        }
        return !wanted.startsWith("W/")
                && page.first("Last-Modified").filter(wanted::equals).isPresent();
    }

    /** The headers with which we ask whether our page is still the page. */
    public static Fields ofPage(Fields page) {
        Fields asking = new Fields(List.of());
        Optional<String> tag = page.first("ETag");
        if (tag.isPresent()) {
            asking = asking.with("If-None-Match", tag.get());
        }
        Optional<String> changed = page.first("Last-Modified");
        return changed.isPresent() ? asking.with("If-Modified-Since", changed.get()) : asking;
    }

    private static List<String> tags(String list) {
        List<String> tags = new ArrayList<>();
        int at = 0;
        while (at < list.length()) {
            int open = list.indexOf('"', at);
            int close = open < 0 ? -1 : list.indexOf('"', open + 1);
            if (close < 0) {
                break;
            }
            tags.add(list.substring(open, close + 1));
            at = close + 1;
        }
        return tags;
    }

    private static String weak(String tag) {
        String text = tag.strip();
        return text.startsWith("W/") ? text.substring(2) : text;
    }
}
