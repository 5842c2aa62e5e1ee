package dev.millrace.keyspace;

import java.util.List;

/**
 * How far a check is: every key before it is done, every key behind it is not.
 *
 * @param pass 0 for the indexes, 1 for the values, 2 at the end
 * @param server which of the primaries, in the order of their addresses
 * @param cursor of SCAN, for the keys that come next; empty at the beginning of a server
 * @param open indexes that SCAN has given already and that are not finished
 */
record CheckPosition(int pass, int server, String cursor, List<Open> open) {
    static final int INDEXES = 0;
    static final int VALUES = 1;
    static final int END = 2;
    static final CheckPosition START = new CheckPosition(INDEXES, 0, "", List.of());

    CheckPosition {
        open = List.copyOf(open);
    }

    /**
     * An index that is being walked.
     *
     * @param key with its shard's prefix
     * @param cursor of ZSCAN, SSCAN or HSCAN, for the entries that come next
     */
    record Open(String key, String cursor) {}

    CheckPosition scanned(String next, List<Open> found) {
        return new CheckPosition(pass, server, next, found);
    }

    CheckPosition withOpen(List<Open> left) {
        return new CheckPosition(pass, server, cursor, left);
    }

    /** All keys of this server were given. */
    boolean serverDone() {
        return cursor.equals("0") && open.isEmpty();
    }

    CheckPosition nextServer(int servers) {
        return server + 1 < servers
                ? new CheckPosition(pass, server + 1, "", List.of())
                : new CheckPosition(pass + 1, 0, "", List.of());
    }
}
