package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * Home pointers, in a cluster only: for an id that somebody else made, {@code millrace:home:{id}}
 * in the shard the id points to says in which shard it really lives. {@link Claims} says when they
 * are written and removed.
 */
final class Homes {
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
        return read(idPlace, pointerKey(valueKey));
    }

    static Request read(Place place, String key) {
        return Request.reading(place.order(), place.slot(), text("GET"), place.key(key));
    }

    Optional<Pointer> pointer(Place idPlace, String valueKey) {
        return Pointer.in(redis.call(readPointer(idPlace, valueKey)));
    }

    /** Whether the pointer leads to a value, or to one that is just moving. */
    boolean isThere(Pointer pointer, String valueKey) {
        if (pointer.shard() < 0) {
            return false;
        }
        Place place = keyspace.shards().shard(pointer.shard());
        Request exists =
                Request.reading(
                        place.order(),
                        place.slot(),
                        text("EXISTS"),
                        place.key(valueKey),
                        place.key(Keyspace.MOVING.key(valueKey)),
                        place.key(Keyspace.MOVED.key(valueKey)));
        return Replies.isPresent(redis.call(exists));
    }

    /**
     * Removes just this pointer. One left behind does no harm, and the check mends it; so the
     * outcome is not looked at.
     */
    void forget(Place idPlace, String valueKey, Pointer pointer) {
        keyspace.commit(idPlace)
                .raw('e', pointerKey(valueKey), text(pointer.text()))
                .raw('D', pointerKey(valueKey))
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
