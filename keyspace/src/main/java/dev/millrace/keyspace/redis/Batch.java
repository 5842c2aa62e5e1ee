package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * What leaves on a lane together: plain requests, and commits of one slot merged into a single call
 * of the commit script. Merging is what makes a commit cheap (one call, one reply, one type probe
 * per shared index key), and it also keeps order: a call is executed whole or not at all, so when a
 * server sends a batch back (a script is gone, a slot has moved), no later commit of an owner can
 * have slipped past an earlier one. For the same reason <b>a batch never carries two writing units
 * of one owner</b>: {@link #add} refuses the second, and it leads the next batch.
 */
final class Batch {
    private static final int MAX_REQUESTS = 256;

    /** About 1 ms of work for the server: one merged call must not hold it up for others. */
    private static final int MAX_GROUP_KEYS = 768;

    /**
     * Keys and arguments of a merged call. A thousand of them keep Redis 7.0 busy for 0.5 ms where
     * they are many fields of few hashes and for 1.1 ms where each commit has one field (measured
     * with 64 commits to 64,000 words in a call), so this is 2 to 4 ms: a commit of one point that
     * comes between two such calls is answered well within 10 ms. More gains nothing, since from a
     * thousand words on the time grows with the words alone.
     */
    static final int MAX_GROUP_WORDS = 4096;

    private static final int MAX_BYTES = 2 * 1024 * 1024;

    /** Owners are told apart by 10 bits of their hash; a clash only ends a batch early. */
    private static final int ORDERS = 1024;

    final List<Unit> units = new ArrayList<>();

    private final long[] groupedOrders = new long[ORDERS / 64];
    private final long[] otherOrders = new long[ORDERS / 64];
    private int requests;
    private int bytes;

    /** Takes the request, or says that it has to wait for the next batch. */
    boolean add(Request request) {
        if (requests == MAX_REQUESTS || (requests > 0 && bytes + request.bytes > MAX_BYTES)) {
            return false;
        }
        boolean merges = request.grouped && !request.alone;
        if (request.ordered
                && (marked(otherOrders, request.order)
                        || (!merges && marked(groupedOrders, request.order)))) {
            return false;
        }
        if (merges && !join(request)) {
            return false;
        }
        if (request.ordered) {
            mark(merges ? groupedOrders : otherOrders, request.order);
        }
        if (!merges) {
            units.add(new Unit(request, false));
        }
        requests++;
        bytes += request.bytes;
        return true;
    }

    private boolean join(Request request) {
        for (Unit unit : units) {
            if (unit.merged && unit.suits(request)) {
                return unit.join(request);
            }
        }
        units.add(new Unit(request, true));
        return true;
    }

    boolean isEmpty() {
        return requests == 0;
    }

    int size() {
        return requests;
    }

    private static boolean marked(long[] bits, int order) {
        int bit = bit(order);
        return (bits[bit >> 6] & 1L << bit) != 0;
    }

    private static void mark(long[] bits, int order) {
        int bit = bit(order);
        bits[bit >> 6] |= 1L << bit;
    }

    static int bit(int order) {
        return order & (ORDERS - 1);
    }

    /** One call on the wire and the requests it answers. */
    static final class Unit {
        final List<Request> members = new ArrayList<>(4);
        final boolean merged;
        private int keys;
        private int words;

        /** The cheaper form of this call, if all members can take it. */
        private Packing.@Nullable Call packed;

        Unit(Request first, boolean merged) {
            this.merged = merged;
            members.add(first);
            keys = first.keys.words();
            words = first.words();
        }

        int slot() {
            return members.getFirst().slot;
        }

        /** Whether the request can be answered by the same call. */
        boolean suits(Request request) {
            return slot() == request.slot && members.getFirst().script == request.script;
        }

        boolean writes() {
            return members.getFirst().writes;
        }

        boolean join(Request request) {
            if (keys + request.keys.words() > MAX_GROUP_KEYS
                    || words + request.words() > MAX_GROUP_WORDS) {
                return false;
            }
            keys += request.keys.words();
            words += request.words();
            members.add(request);
            return true;
        }

        /** Drops what nobody waits for any more; true if anything is left to be sent. */
        boolean markSent() {
            members.removeIf(member -> !member.markSent());
            pack();
            return !members.isEmpty();
        }

        private void pack() {
            Packing packing = members.isEmpty() ? null : members.getFirst().packing;
            if (packing != null
                    && members.stream()
                            .allMatch(each -> packing.equals(each.packing) && !each.alone)) {
                packed = packing.of(members);
            }
        }

        boolean isPacked() {
            return packed != null;
        }

        /** After a call in the cheaper form that was answered with null. */
        void unpack() {
            members.forEach(member -> member.packing = null);
        }

        /** The script to call, or null for a plain command. */
        @Nullable Script script() {
            if (packed != null) {
                return packed.script();
            }
            for (Request member : members) {
                if (member.emptying == null) {
                    return member.script;
                }
            }
            return members.getFirst().ownScript();
        }

        /** Why it may not be run to its end on this connection, or null. */
        @Nullable RedisException refusal(Wire wire) {
            Script script = script();
            return script == null ? null : wire.refusal(script, members.getFirst().keys);
        }

        void write(Wire wire) {
            Script script = script();
            if (script == null) {
                wire.write(members.getFirst().args);
            } else if (packed != null) {
                wire.writeScript(packed);
            } else {
                wire.writeScript(script, members);
            }
        }

        /** Hands out the replies; a merged call answers with a list, one item for each member. */
        void answer(@Nullable Object reply) {
            if (!members.getFirst().grouped) {
                members.getFirst().answer.complete(reply);
                return;
            }
            if (!(reply instanceof List<?> replies) || replies.size() != members.size()) {
                throw new IllegalStateException("A commit was answered with " + reply);
            }
            for (int i = 0; i < members.size(); i++) {
                members.get(i).answer.complete(replies.get(i));
            }
        }

        void fail(RedisException why) {
            members.forEach(member -> member.fail(why));
        }
    }
}
