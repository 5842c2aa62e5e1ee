package dev.millrace.hub.live;

import dev.millrace.keyspace.feed.FeedCursor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A place in one feed, with the text under which a client brings it back. A connection that listens
 * to several feeds has one for each, joined by commas.
 */
record Mark(FeedCursor cursor, String text) {

    static Mark of(String feed, FeedCursor cursor) {
        return new Mark(cursor, feed + ":" + cursor.text());
    }

    /** Before a client was given anything: whoever comes back from there begins anew. */
    static Mark nowhere() {
        return new Mark(new FeedCursor("", List.of()), "");
    }

    /** Of a cursor that cannot be read: whoever comes back with it is told so again. */
    static Mark unreadable(String feed) {
        return new Mark(new FeedCursor("", List.of()), feed + ":0");
    }

    /** The texts of the cursors by the names of their feeds; what is not a mark is left out. */
    static Map<String, String> split(String text) {
        Map<String, String> found = new HashMap<>();
        for (String mark : text.split(",", -1)) {
            int colon = mark.indexOf(':');
            if (colon > 0) {
                found.put(mark.substring(0, colon).strip(), mark.substring(colon + 1).strip());
            }
        }
        return found;
    }
}
