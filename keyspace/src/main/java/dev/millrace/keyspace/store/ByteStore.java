package dev.millrace.keyspace.store;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * The values of one layout as the bytes they are: for rooms that hand them on without looking
 * inside. An id counts if the layout's kind index has it; all its entries have one score, so Redis
 * keeps them in the order of their bytes, and all ids with one beginning are one range of it.
 *
 * <p>Thread-safe. Only for string layouts whose key names the owner.
 */
public final class ByteStore {
    private static final Script RANGE = Script.reading(ByteStore.class, "range");

    /** About a millisecond of the server's time. */
    private static final int STEP = 500;

    private static final int STEP_BYTES = 1 << 20;

    /** What all shards may give at once. */
    private static final int ALL_BYTES = 8 << 20;

    /** Comes after every byte that a text in UTF-8 can have. */
    private static final byte BEHIND_ALL = (byte) 0xFF;

    private final Ground ground;
    private final Layout<?> layout;
    private final String kind;
    private final Redis redis;
    private final ManyGets many;

    public ByteStore(Ground ground, Layout<?> layout) {
        if (layout.type() != KeyType.STRING
                || !layout.mapping().ownerInKey()
                || layout.mapping().kind().isEmpty()) {
            throw new IllegalArgumentException(
                    layout.name() + " is not a string with a kind index and its owner in the key.");
        }
        this.ground = ground;
        this.layout = layout;
        this.kind = layout.mapping().kind().get();
        this.redis = ground.redis();
        this.many = new ManyGets(redis, layout);
    }

    /**
     * An id that the kind index has.
     *
     * @param value null if there is none, it is not a string, or it was not asked for
     */
    public record Item(String id, byte @Nullable [] value) {}

    // ---------------------------------------------------------------- by id

    /** The value, null if there is none; does not wait. */
    public CompletableFuture<byte @Nullable []> send(String id) {
        Place place = place(id);
        try {
            Request value = valueOf(place, id);
            Request known = knownAs(place, id);
            redis.submit(value, known);
            return value.answer()
                    .handle(ByteStore::stringOrNull)
                    .thenCombine(known.answer(), (bytes, score) -> score == null ? null : bytes);
        } catch (RedisException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static byte @Nullable [] stringOrNull(
            @Nullable Object bytes, @Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
        if (cause == null || isOtherType(cause)) {
            return (byte[]) bytes;
        }
        throw cause instanceof RuntimeException e ? e : new CompletionException(cause);
    }

    private static boolean isOtherType(@Nullable Throwable failure) {
        return failure instanceof RedisException e && e.reason() == Reason.WRONG_TYPE;
    }

    /** The values in the order of the ids; null where there is none. */
    public List<byte @Nullable []> getMany(List<String> ids) {
        return many.get(ids, ids.stream().map(this::place).toList());
    }

    /**
     * Those under whose key lies something that is none of this layout; in a cluster also what
     * lives elsewhere and only has its pointer here.
     */
    public List<String> takenByOthers(List<String> ids) {
        List<Request> types = new ArrayList<>(ids.size());
        List<Request> known = new ArrayList<>(ids.size());
        List<Request> pointers = new ArrayList<>(ids.size());
        for (String id : ids) {
            Place place = place(id);
            types.add(
                    Request.reading(
                            place.order(),
                            place.slot(),
                            text("TYPE"),
                            place.key(layout.mapping().keyOf(id))));
            known.add(knownAs(place, id));
            pointers.add(Homes.readPointer(ground.shards().place(id), layout.mapping().keyOf(id)));
        }
        types.forEach(redis::submit);
        known.forEach(redis::submit);
        pointers.forEach(redis::submit);
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            String type = String.valueOf(shown(types.get(i).await()));
            boolean ours = known.get(i).await() != null && type.equals("string");
            boolean elsewhere = pointers.get(i).await() != null;
            if (!ours && (elsewhere || !type.equals("none"))) {
                taken.add(ids.get(i));
            }
        }
        return taken;
    }

    private static Object shown(@Nullable Object reply) {
        return reply instanceof byte[] ? Replies.textOrEmpty(reply) : String.valueOf(reply);
    }

    private Place place(String id) {
        return ground.shards()
                .place(layout.mapping().ownerOfKey(layout.mapping().keyOf(id)).orElse(id));
    }

    private Request valueOf(Place place, String id) {
        return Request.reading(
                place.order(), place.slot(), text("GET"), place.key(layout.mapping().keyOf(id)));
    }

    private Request knownAs(Place place, String id) {
        return Request.reading(
                place.order(), place.slot(), text("ZSCORE"), place.key(kind), text(id));
    }

    // ---------------------------------------------------------------- by beginning

    /** What one shard still has to give. */
    private static final class Source {
        final Place place;
        byte[] from;

        Source(Place place, byte[] from) {
            this.place = place;
            this.from = from;
        }
    }

    /**
     * Hands over every id that begins with this, in steps of bounded size. Those of one shard come
     * in the order of their bytes, the shards mixed.
     *
     * @param owner whose ids alone are looked at; empty for all
     * @param values whether they come with their values
     */
    public void range(
            Optional<String> owner, String prefix, boolean values, Consumer<Item> target) {
        byte[] start = text(prefix);
        byte[] end = new byte[start.length + 2];
        end[0] = '(';
        System.arraycopy(start, 0, end, 1, start.length);
        end[end.length - 1] = BEHIND_ALL;
        List<Source> open = new ArrayList<>();
        for (Place place :
                owner.map(each -> List.of(ground.shards().place(each)))
                        .orElseGet(() -> ground.shards().all())) {
            open.add(new Source(place, bound('[', start)));
        }
        int budget = values ? Math.min(STEP_BYTES, ALL_BYTES / open.size()) : 0;
        while (!open.isEmpty()) {
            List<@Nullable Object> replies =
                    redis.callAll(open.stream().map(each -> page(each, end, budget)).toList());
            List<Source> more = new ArrayList<>();
            for (int i = 0; i < open.size(); i++) {
                List<?> reply = Replies.list(replies.get(i));
                for (int at = 2; at + 1 < reply.size(); at += 2) {
                    target.accept(
                            new Item(
                                    Replies.textOrEmpty(reply.get(at)),
                                    reply.get(at + 1) instanceof byte[] bytes ? bytes : null));
                }
                if (Replies.textOrEmpty(reply.getFirst()).equals("1")) {
                    open.get(i).from = bound('(', Replies.bytes(reply.get(1)));
                    more.add(open.get(i));
                }
            }
            open = more;
        }
    }

    private Request page(Source source, byte[] end, int budget) {
        Place place = source.place;
        return Request.script(
                RANGE,
                place.order(),
                place.slot(),
                new byte[][] {place.key(kind)},
                source.from,
                end,
                number(STEP),
                place.key(layout.mapping().head()),
                text(layout.mapping().tail()),
                number(budget));
    }

    private static byte[] bound(char sign, byte[] id) {
        byte[] bound = new byte[id.length + 1];
        bound[0] = (byte) sign;
        System.arraycopy(id, 0, bound, 1, id.length);
        return bound;
    }

    /** As Redis orders them: by their bytes. */
    public static int compare(String one, String other) {
        return Arrays.compareUnsigned(text(one), text(other));
    }
}
