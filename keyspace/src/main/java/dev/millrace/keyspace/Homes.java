package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Reason;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.RedisException;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * Home pointers, in a cluster only: for an id that somebody else made, {@code millrace:home:{id}}
 * in the shard the id points to says in which shard it really lives.
 *
 * <p>A pointer is claimed before the create and cleared after the delete. Two creators of one id
 * for two owners write to two shards, where no script sees both; the claim decides between them. A
 * claim whose create never came (the process died) may be taken over when it is {@link
 * #CLAIM_MILLIS} old; a create that is late is refused by the server's clock long before that, so
 * there are never two.
 */
final class Homes {
    private static final long CLAIM_MILLIS = 30_000;
    private static final long CREATE_WITHIN_MILLIS = 15_000;

    private final Keyspace keyspace;
    private final Redis redis;

    Homes(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.redis = keyspace.redis();
    }

    /** Whether an entity in this place is found by its id only through a pointer. */
    static boolean needed(Keyspace keyspace, Layout<?> layout, String id, Place home) {
        return keyspace.shards().cluster()
                && !layout.ownerInKey()
                && Shards.shard(id) != home.shard();
    }

    static String pointerKey(String valueKey) {
        return Keyspace.HOME.key(valueKey);
    }

    static Request readPointer(Place idPlace, String valueKey) {
        return Request.reading(
                idPlace.order(), idPlace.slot(), text("GET"), idPlace.key(pointerKey(valueKey)));
    }

    static int shardIn(@Nullable Object pointer) {
        String words = Replies.textOrEmpty(pointer);
        int colon = words.indexOf(':');
        return Integer.parseInt(colon < 0 ? words : words.substring(0, colon)) & (Shards.COUNT - 1);
    }

    static long claimedAt(@Nullable Object pointer) {
        String words = Replies.textOrEmpty(pointer);
        return Long.parseLong(words.substring(words.indexOf(':') + 1));
    }

    static String pointer(Place home, long now) {
        return home.shard() + ":" + now;
    }

    /** Claims the pointer, creates, and gives the claim back if nothing was created. */
    <E> Outcome<Long> create(Layout<E> layout, String id, E entity, Raw raw, Place home) {
        Place idPlace = keyspace.shards().place(id);
        String key = layout.keyOf(id);
        for (int attempt = 0; attempt < 4; attempt++) {
            Request readPointer = readPointer(idPlace, key);
            List<@Nullable Object> replies = redis.callAll(List.of(readPointer, time(idPlace)));
            Object pointer = replies.get(0);
            long now = millis(replies.get(1));
            Optional<Outcome<Long>> refused = decide(layout, id, home, pointer, now);
            if (refused.isPresent()) {
                return refused.get();
            }
            String claim = pointer(home, now);
            Commit claiming = keyspace.commit(idPlace).raw('a', key);
            if (pointer == null) {
                claiming.raw('a', pointerKey(key));
            } else {
                claiming.raw('e', pointerKey(key), text(Replies.textOrEmpty(pointer)));
            }
            Outcome<Long> claimed = claiming.raw('S', pointerKey(key), text(claim)).run();
            if (claimed instanceof Outcome.NotDone<Long>(Reason reason, String detail)
                    && (reason == Reason.DUPLICATE || reason == Reason.CONFLICT)) {
                if (reason == Reason.DUPLICATE && isThere(layout, id, idPlace)) {
                    return Outcome.notDone(Reason.DUPLICATE, key + " exists already.");
                }
                continue;
            }
            if (claimed instanceof Outcome.Unknown<Long>) {
                continue; // if the claim was made, it is ours and can be taken over
            }
            if (!claimed.isDone()) {
                return claimed;
            }
            Outcome<Long> created =
                    keyspace.commit(home)
                            .create(layout, entity, raw)
                            .notLaterThan(now + CREATE_WITHIN_MILLIS)
                            .run();
            if (created instanceof Outcome.NotDone<Long> not && not.reason() != Reason.DUPLICATE) {
                forget(idPlace, key, claim);
            }
            return created;
        }
        return Outcome.notDone(Reason.CONFLICT, key + " is being created by others; try again.");
    }

    private <E> Optional<Outcome<Long>> decide(
            Layout<E> layout, String id, Place home, @Nullable Object pointer, long now) {
        if (pointer == null || shardIn(pointer) == home.shard()) {
            return Optional.empty();
        }
        if (isThere(layout, id, keyspace.shards().shard(shardIn(pointer)))) {
            return Optional.of(
                    Outcome.notDone(Reason.DUPLICATE, layout.keyOf(id) + " exists already."));
        }
        if (now - claimedAt(pointer) < CLAIM_MILLIS) {
            return Optional.of(
                    Outcome.notDone(
                            Reason.CONFLICT,
                            layout.keyOf(id) + " is being created for another owner; try again."));
        }
        return Optional.empty();
    }

    private boolean isThere(Layout<?> layout, String id, Place place) {
        Request exists =
                Request.reading(
                        place.order(), place.slot(), text("EXISTS"), place.key(layout.keyOf(id)));
        return Replies.isPresent(redis.call(exists));
    }

    /**
     * The id's own shard is the owner's: no pointer is needed, but there must be none either. A
     * stale one (its create never came, or its delete did not get so far) is cleared.
     */
    <E> Outcome<Long> createAtHome(Layout<E> layout, String id, E entity, Raw raw, Place home) {
        String key = layout.keyOf(id);
        Outcome<Long> created =
                keyspace.commit(home).create(layout, entity, raw).raw('a', pointerKey(key)).run();
        if (!created.failedBy(Reason.DUPLICATE)) {
            return created;
        }
        List<@Nullable Object> replies = redis.callAll(List.of(readPointer(home, key), time(home)));
        Object pointer = replies.get(0);
        if (pointer == null) {
            return created;
        }
        Optional<Outcome<Long>> refused = decide(layout, id, home, pointer, millis(replies.get(1)));
        if (refused.isPresent()) {
            return refused.get();
        }
        forget(home, key, Replies.textOrEmpty(pointer));
        return keyspace.commit(home).create(layout, entity, raw).raw('a', pointerKey(key)).run();
    }

    /** Clears the pointer of an entity that was deleted in this place, if that can be done now. */
    void clear(Layout<?> layout, String id, Place home) {
        Place idPlace = keyspace.shards().place(id);
        try {
            Object pointer = redis.call(readPointer(idPlace, layout.keyOf(id)));
            if (pointer != null && shardIn(pointer) == home.shard()) {
                forget(idPlace, layout.keyOf(id), Replies.textOrEmpty(pointer));
            }
        } catch (RedisException e) {
            // The entity is deleted; nobody may be told otherwise because of a pointer.
        }
    }

    /**
     * A pointer left behind does no harm, and the check mends it; so the outcome is not looked at.
     */
    private void forget(Place idPlace, String key, String pointer) {
        keyspace.commit(idPlace)
                .raw('e', pointerKey(key), text(pointer))
                .raw('D', pointerKey(key))
                .twice()
                .run();
    }

    static Request time(Place place) {
        return Request.reading(place.order(), place.slot(), text("TIME"));
    }

    static long millis(@Nullable Object time) {
        List<?> parts = Replies.list(time);
        return Long.parseLong(Replies.textOrEmpty(parts.get(0))) * 1000
                + Long.parseLong(Replies.textOrEmpty(parts.get(1))) / 1000;
    }
}
