package dev.millrace.keyspace.commit;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a commit has to do with home pointers, in a cluster: a pointer is claimed before the create
 * of an id that somebody else made, and cleared after its delete.
 *
 * <p>Two creators of one id for two owners write to two shards, where no script sees both; the
 * claim decides between them. A claim whose create never came (the process died) may be taken over
 * when it is {@link #CLAIM_MILLIS} old; a create that is late is refused by the server's clock long
 * before that, so there are never two.
 *
 * <p>Two creators for one owner share a shard, where the commits decide. The second claims anew, so
 * that the first cannot take its claim back; and it does not take back what it found, because the
 * first may rely on it.
 */
public final class Claims {
    public static final long CLAIM_MILLIS = 30_000;
    public static final long WRITE_WITHIN_MILLIS = 15_000;
    private static final int ATTEMPTS = 4;
    private static final Outcome<Long> UNCONFIRMED =
            new Outcome.Unconfirmed<>(0L, "Stored, but its home pointer is not confirmed.");

    private final Ground ground;
    private final Place home;
    private final Homes homes;

    /** To be created here although their ids point elsewhere. */
    private final List<Id> coming = new ArrayList<>();

    /** To be created where their ids point to; there must be no pointer. */
    private final List<Id> atHome = new ArrayList<>();

    /** To be deleted here although their ids point elsewhere. */
    private final List<Id> leaving = new ArrayList<>();

    private final List<Claim> claimed = new ArrayList<>();
    private boolean claimsConfirmed = true;

    private record Id(Place place, String key) {}

    private record Claim(Id id, Pointer pointer, boolean mayBeTakenBack) {}

    Claims(Ground ground, Place home) {
        this.ground = ground;
        this.home = home;
        this.homes = new Homes(ground);
    }

    void creates(String id, String key) {
        Place place = ground.shards().place(id);
        (place.together(home) ? atHome : coming).add(new Id(place, key));
    }

    void deletes(String id, String key) {
        leaving.add(new Id(ground.shards().place(id), key));
    }

    Outcome<Long> run(Basket commit) {
        try {
            Map<Id, Pointer> left = pointers(leaving);
            Outcome<Long> refused = claimAll(commit);
            if (refused != null) {
                takeBack();
                return commit.doneBefore().orElse(refused);
            }
            Outcome<Long> outcome = commit.run();
            if (outcome.failedBy(Reason.DUPLICATE) && !atHome.isEmpty()) {
                outcome = withoutStalePointers(commit, outcome);
            }
            switch (outcome) {
                case Outcome.Done<Long> done -> forget(left);
                case Outcome.Unconfirmed<Long> stored -> forget(left);
                case Outcome.NotDone<Long> not -> takeBack();
                case Outcome.Unknown<Long> unknown -> {} // it may rely on them
            }
            return claimsConfirmed ? outcome : outcome.after(UNCONFIRMED);
        } catch (RedisException e) {
            return Outcome.failed(e);
        }
    }

    private void forget(Map<Id, Pointer> left) {
        left.forEach((id, pointer) -> homes.forget(id.place, id.key, pointer));
    }

    /** The pointers as they are before the delete: one that a later create claims is another. */
    private Map<Id, Pointer> pointers(List<Id> ids) {
        List<Request> requests =
                ids.stream().map(id -> Homes.readPointer(id.place, id.key)).toList();
        List<@Nullable Object> replies = ground.redis().callAll(requests);
        Map<Id, Pointer> found = new HashMap<>();
        for (int i = 0; i < replies.size(); i++) {
            Id id = ids.get(i);
            Pointer.in(replies.get(i))
                    .filter(pointer -> pointer.leadsTo(home))
                    .ifPresent(pointer -> found.put(id, pointer));
        }
        return found;
    }

    /** Null when all are claimed. */
    private @Nullable Outcome<Long> claimAll(Basket commit) {
        for (Id id : coming) {
            Outcome<Long> refused = null;
            boolean open = true;
            for (int attempt = 0; attempt < ATTEMPTS && open; attempt++) {
                refused = claim(id, commit);
                open = refused != null && refused.failedBy(Reason.CONFLICT);
            }
            if (refused != null) {
                return refused;
            }
        }
        return null;
    }

    /** Null when it is claimed; CONFLICT when somebody else was faster. */
    private @Nullable Outcome<Long> claim(Id id, Basket commit) {
        List<@Nullable Object> replies =
                ground.redis()
                        .callAll(
                                List.of(Homes.readPointer(id.place, id.key), Homes.time(id.place)));
        Optional<Pointer> found = Pointer.in(replies.get(0));
        long now = Homes.millis(replies.get(1));
        Outcome<Long> refused = refusal(id, found, now);
        if (refused != null) {
            return refused;
        }
        Pointer mine = Pointer.to(home, now);
        Basket claiming = ground.basket(id.place).add(Operation.ABSENT, id.key);
        String key = Homes.pointerKey(id.key);
        if (found.isEmpty()) {
            claiming.add(Operation.ABSENT, key);
        } else {
            claiming.add(Operation.EQUALS, key, text(found.get().text()));
        }
        return switch (claiming.add(Operation.SET, key, text(mine.text())).run()) {
            case Outcome.Done<Long> done -> claimed(id, found, mine, commit);
            case Outcome.Unconfirmed<Long> stored -> {
                claimsConfirmed = false;
                yield claimed(id, found, mine, commit);
            }
            case Outcome.NotDone<Long>(Reason reason, String detail)
                    when reason == Reason.DUPLICATE && exists(id) ->
                    duplicate(id);
            case Outcome.NotDone<Long>(Reason reason, String detail) -> {
                boolean raced =
                        reason == Reason.DUPLICATE
                                || reason == Reason.CONFLICT
                                || reason == Reason.ABSENT;
                yield raced ? conflict(id) : Outcome.notDone(reason, detail);
            }
            case Outcome.Unknown<Long>(String detail) ->
                    Outcome.notDone(Reason.UNAVAILABLE, detail);
        };
    }

    private @Nullable Outcome<Long> claimed(
            Id id, Optional<Pointer> found, Pointer mine, Basket commit) {
        boolean shared = found.isPresent() && found.get().leadsTo(home);
        claimed.add(new Claim(id, mine, !shared));
        commit.notLaterThan(mine.since() + WRITE_WITHIN_MILLIS);
        return null;
    }

    private boolean exists(Id id) {
        return Replies.isPresent(ground.redis().call(id.place.ask("EXISTS", id.key)));
    }

    /** Why the id cannot be created now; null if it can. */
    private @Nullable Outcome<Long> refusal(Id id, Optional<Pointer> found, long now) {
        if (found.isEmpty()) {
            return null;
        }
        if (homes.isThere(found.get(), id.key)) {
            return duplicate(id);
        }
        boolean young = now - found.get().since() < CLAIM_MILLIS;
        return found.get().leadsTo(home) || !young ? null : conflict(id);
    }

    private static Outcome<Long> duplicate(Id id) {
        return Outcome.notDone(Reason.DUPLICATE, id.key + " exists already.");
    }

    private static Outcome<Long> conflict(Id id) {
        return Outcome.notDone(Reason.CONFLICT, id.key + " is being created by others; try again.");
    }

    private void takeBack() {
        for (Claim claim : claimed) {
            if (claim.mayBeTakenBack) {
                homes.forget(claim.id.place, claim.id.key, claim.pointer);
            }
        }
    }

    /**
     * A pointer at the id's own shard of which nothing came, or whose entity is gone, is cleared,
     * and the commit tried once more.
     */
    private Outcome<Long> withoutStalePointers(Basket commit, Outcome<Long> outcome) {
        List<@Nullable Object> times = ground.redis().callAll(List.of(Homes.time(home)));
        long now = Homes.millis(times.getFirst());
        boolean cleared = false;
        for (Id id : atHome) {
            Optional<Pointer> found = homes.pointer(id.place, id.key);
            if (found.isPresent()) {
                Outcome<Long> refused = refusal(id, found, now);
                if (refused != null) {
                    return refused;
                }
                homes.forget(id.place, id.key, found.get());
                cleared = true;
            }
        }
        return cleared ? commit.run() : outcome;
    }
}
