package dev.millrace.keyspace.schedule;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The right to do something alone. Whoever takes it gets a fence, a number larger than every
 * holder's before; {@link #guard} makes a commit carry it. A shard refuses a commit with an older
 * fence than the newest it has seen, and any commit after the lease has run out by the server's
 * clock. So a holder that was stopped for a minute and wakes up with a commit in its hands changes
 * nothing.
 *
 * <p>The holder itself stops at 80 % of the time by its own monotonic clock ({@link #held}), so
 * that it need not find out that way. Thread-safe.
 */
public final class Lease {
    private static final Cell LEASES =
            Cell.of(KeyType.HASH, "millrace:lease:{name:name}")
                    .bookkeeping()
                    .about("Holder, end and fence of a lease.");
    private static final Cell FENCES =
            Cell.of(KeyType.STRING, "millrace:fence:{name:name}")
                    .bookkeeping()
                    .about("The newest fence of a lease seen in this shard.");

    /** Keys that leases keep for themselves. */
    public static final List<Cell> KEYS = List.of(LEASES, FENCES);

    /** Also on a full server: who empties it may be decided by a lease. */
    private static final Script TAKE = Script.emptying(Lease.class, "take");

    private static final Script RELEASE = Script.emptying(Lease.class, "release");
    private static final Script FENCING = Script.emptying(Lease.class, "fence");

    private final Ground ground;
    private final String name;
    private final String holder;
    private final Duration time;
    private volatile @Nullable Hold hold;

    /** What the server granted, and until when we may rely on it. */
    private record Hold(long fence, long until, long stopAt) {}

    public Lease(Ground ground, String name, String holder, Duration time) {
        this.ground = ground;
        this.name = name;
        this.holder = holder;
        this.time = time;
    }

    /**
     * Takes the lease, or renews it while it is held; called every third of its time by whoever
     * wants it.
     *
     * @return whether it is held now
     */
    public boolean take() {
        long asked = System.nanoTime();
        Place place = ground.shards().place(name);
        Request request =
                Request.script(
                                TAKE,
                                place.order(),
                                place.slot(),
                                new byte[][] {place.key(LEASES.pattern().key(name))},
                                text(holder),
                                number(time.toMillis()))
                        .twice();
        List<?> reply = Replies.list(ground.redis().call(request));
        if (reply.isEmpty()) {
            hold = null;
            return false;
        }
        long fence = Long.parseLong(Replies.textOrEmpty(reply.get(0)));
        long until = Long.parseLong(Replies.textOrEmpty(reply.get(1)));
        Hold before = hold;
        if (before == null || before.fence != fence) {
            raiseFences(fence);
        }
        hold = new Hold(fence, until, asked + time.toNanos() * 8 / 10);
        return held();
    }

    /** From here on no shard takes a commit of an earlier holder, also where we write nothing. */
    private void raiseFences(long fence) {
        List<Request> requests = new ArrayList<>();
        for (Place place : ground.shards().all()) {
            requests.add(
                    Request.script(
                                    FENCING,
                                    place.order(),
                                    place.slot(),
                                    new byte[][] {place.key(fenceKey())},
                                    number(fence))
                            .twice());
        }
        ground.redis().callAll(requests);
    }

    /** Whether we may still act on it. */
    public boolean held() {
        Hold now = hold;
        return now != null && System.nanoTime() - now.stopAt < 0;
    }

    /** The fence, while the lease is held. */
    public Optional<Long> fence() {
        Hold now = hold;
        return now != null && held() ? Optional.of(now.fence) : Optional.empty();
    }

    /** Gives it back, so that another one need not wait. */
    public void release() {
        Hold now = hold;
        hold = null;
        if (now != null) {
            Place place = ground.shards().place(name);
            Request request =
                    Request.script(
                                    RELEASE,
                                    place.order(),
                                    place.slot(),
                                    new byte[][] {place.key(LEASES.pattern().key(name))},
                                    text(holder),
                                    number(now.fence))
                            .twice();
            ground.redis().call(request);
        }
    }

    private String fenceKey() {
        return FENCES.pattern().key(name);
    }

    /**
     * What makes a commit happen only while the lease is held, by the server's clock, and nobody
     * holds a newer one. One of a holder that has none any more can never be done.
     */
    public Addition guard() {
        Hold now = hold;
        long fence = now == null ? -1 : now.fence;
        long until = now == null ? 0 : now.until;
        return basket ->
                basket.addInShard(Operation.AT_MOST, fenceKey(), number(fence)).notLaterThan(until);
    }
}
