package dev.millrace.keyspace.commit;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * Home pointers, in a cluster only: for an id that somebody else made, {@code millrace:home:{id}}
 * in the shard the id points to says in which shard it really lives. {@link Claims} says when they
 * are written and removed.
 */
public final class Homes {
    public static final Cell POINTERS =
            Cell.of(KeyType.STRING, "millrace:home:{id}")
                    .bookkeeping()
                    .about("In a cluster: the shard in which a foreign id lives.");

    /** Here rather than with the moves: whether an id is taken depends on them too. */
    public static final KeyPattern MOVING = KeyPattern.of("millrace:moving:{id}");

    public static final KeyPattern MOVED = KeyPattern.of("millrace:moved:{id}");

    private final Ground ground;
    private final Redis redis;

    public Homes(Ground ground) {
        this.ground = ground;
        this.redis = ground.redis();
    }

    /** Whether an entity in this place is found by its id only through a pointer. */
    public static boolean needed(Ground ground, Layout<?> layout, String id, Place home) {
        return ground.shards().cluster()
                && !layout.mapping().ownerInKey()
                && Shards.shard(id) != home.shard();
    }

    public static String pointerKey(String valueKey) {
        return POINTERS.pattern().key(valueKey);
    }

    public static Request readPointer(Place idPlace, String valueKey) {
        return idPlace.ask("GET", pointerKey(valueKey));
    }

    public Optional<Pointer> pointer(Place idPlace, String valueKey) {
        return Pointer.in(redis.call(readPointer(idPlace, valueKey)));
    }

    /** Whether the pointer leads to a value, or to one that is just moving. */
    public boolean isThere(Pointer pointer, String valueKey) {
        if (pointer.shard() < 0) {
            return false;
        }
        Place place = ground.shards().shard(pointer.shard());
        Request exists =
                Request.reading(
                        place.order(),
                        place.slot(),
                        text("EXISTS"),
                        place.key(valueKey),
                        place.key(MOVING.key(valueKey)),
                        place.key(MOVED.key(valueKey)));
        return Replies.isPresent(redis.call(exists));
    }

    /**
     * Removes just this pointer. One left behind does no harm, and the check mends it; so the
     * outcome is not looked at.
     */
    void forget(Place idPlace, String valueKey, Pointer pointer) {
        ground.basket(idPlace)
                .add(Operation.EQUALS, pointerKey(valueKey), text(pointer.text()))
                .add(Operation.DELETE, pointerKey(valueKey))
                .twice()
                .run();
    }

    public static Request time(Place place) {
        return Request.reading(place.order(), place.slot(), text("TIME"));
    }

    public static long millis(@Nullable Object time) {
        List<?> parts = Replies.list(time);
        return Long.parseLong(Replies.textOrEmpty(parts.get(0))) * 1000
                + Long.parseLong(Replies.textOrEmpty(parts.get(1))) / 1000;
    }
}
