package dev.millrace.keyspace.schedule;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.commit.Basket;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * Things due later. An item is put in by a commit ({@link #item}), beside whatever makes it
 * necessary; when it is due, whichever process comes first claims it for the time of a lease. Its
 * effect is a commit that contains {@link Claim#done} or {@link Claim#again}: both carry the check
 * that the claim still holds, so an item that was claimed again in the meantime is done by the
 * later claimer only.
 *
 * <p>One sorted set in each shard, with the due time as score. Thread-safe.
 */
public final class Schedule {
    private static final Cell ITEMS =
            Cell.of(KeyType.SORTED_SET, "millrace:schedule:{name:name}")
                    .livesWith("item", UnaryOperator.identity())
                    .about("Items with the time they are due.");
    private static final Cell BODIES =
            Cell.of(KeyType.HASH, "millrace:schedule-body:{name:name}")
                    .livesWith("item", UnaryOperator.identity())
                    .about("What the items of a schedule are about.");

    /** Keys in which schedules keep what was entrusted to them. */
    public static final List<Cell> KEYS = List.of(ITEMS, BODIES);

    private static final Script CLAIM = Script.of(Schedule.class, "claim");

    private final Ground ground;
    private final String name;

    public Schedule(Ground ground, String name) {
        this.ground = ground;
        this.name = name;
    }

    String items() {
        return ITEMS.pattern().key(name);
    }

    String bodies() {
        return BODIES.pattern().key(name);
    }

    /**
     * An item that is ours until its lease ends.
     *
     * @param score the proof of the claim
     */
    public record Claim(Schedule schedule, Place place, String id, String score, byte[] body) {

        /** A basket in the shard of the item, for its effect. */
        public Commit commit() {
            return schedule.ground.commitIn(place);
        }

        /** The item is done: it leaves the schedule with this commit, if the claim still holds. */
        public Addition done() {
            return basket -> {
                still(basket);
                schedule.without(id).into(basket);
            };
        }

        /** The item is due again later, if the claim still holds. */
        public Addition again(long dueMillis, byte[] nextBody) {
            return basket -> {
                still(basket);
                schedule.item(id, dueMillis, nextBody).into(basket);
            };
        }

        private void still(Basket basket) {
            basket.mustBeIn(place)
                    .addInShard(Operation.SCORE_EQUALS, schedule.items(), text(id), text(score));
        }
    }

    // ---------------------------------------------------------------- for commits

    /** Puts an item in, or gives one that is there another time and body. */
    public Addition item(String id, long dueMillis, byte[] body) {
        return basket ->
                basket.addSortedInShard(items(), (double) dueMillis, id)
                        .addInShard(Operation.SET_FIELD, bodies(), text(id), body);
    }

    /** Puts an item in; CONFLICT if it is there already, claimed or not. */
    public Addition newItem(String id, long dueMillis, byte[] body) {
        return basket -> {
            basket.addInShard(Operation.FIELD_ABSENT, bodies(), text(id));
            item(id, dueMillis, body).into(basket);
        };
    }

    /** Takes an item out whether somebody has claimed it or not. */
    public Addition without(String id) {
        return basket ->
                basket.addInShard(Operation.REMOVE_SORTED, items(), text(id))
                        .addInShard(Operation.REMOVE_FIELD, bodies(), text(id));
    }

    /** Takes everything out in this shard; whoever has a claim of it has none now. */
    public Addition empty() {
        return basket ->
                basket.addInShard(Operation.DELETE, items()).addInShard(Operation.DELETE, bodies());
    }

    // ---------------------------------------------------------------- claiming

    /** Claims what is due now, at most so much from each shard. */
    public List<Claim> claim(int most, Duration lease) {
        List<Wish> wishes = new ArrayList<>();
        for (Place place : ground.shards().all()) {
            wishes.add(new Wish(this, place, most));
        }
        return claim(ground, wishes, lease);
    }

    /** Claims what is due now where this owner lives, for items that are put only there. */
    public List<Claim> claim(String owner, int most, Duration lease) {
        return claim(ground, List.of(at(owner, most)), lease);
    }

    /**
     * Claims from several schedules of one keyspace in one round trip.
     *
     * @param wishes from {@link #at}
     */
    public static List<Claim> claimAll(List<Wish> wishes, Duration lease) {
        return wishes.isEmpty()
                ? List.of()
                : claim(wishes.getFirst().schedule.ground, wishes, lease);
    }

    /** What {@link #claimAll} is to claim from this schedule, where this owner lives. */
    public Wish at(String owner, int most) {
        return new Wish(this, ground.shards().place(owner), most);
    }

    /** How much to claim, and where. */
    public record Wish(Schedule schedule, Place place, int most) {}

    private static List<Claim> claim(Ground ground, List<Wish> wishes, Duration lease) {
        List<Request> requests = new ArrayList<>();
        for (Wish wish : wishes) {
            Place place = wish.place;
            byte[][] keys = {place.key(wish.schedule.items()), place.key(wish.schedule.bodies())};
            requests.add(
                    Request.script(
                            CLAIM,
                            place.order(),
                            place.slot(),
                            keys,
                            number(lease.toMillis()),
                            number(wish.most)));
        }
        List<Claim> claims = new ArrayList<>();
        List<Object> replies = new ArrayList<>(ground.redis().callAll(requests));
        for (int i = 0; i < replies.size(); i++) {
            Wish wish = wishes.get(i);
            List<?> reply = Replies.list(replies.get(i));
            for (int j = 0; j + 2 < reply.size(); j += 3) {
                claims.add(
                        new Claim(
                                wish.schedule,
                                wish.place,
                                Replies.textOrEmpty(reply.get(j)),
                                Replies.textOrEmpty(reply.get(j + 1)),
                                Replies.bytes(reply.get(j + 2))));
            }
        }
        return claims;
    }

    /**
     * What waits in a schedule.
     *
     * @param count due or not
     * @param firstDue in ms since 1970; a claimed item counts as due when its lease ends
     */
    public record Waiting(long count, OptionalLong firstDue) {}

    /** What waits in several schedules where this owner lives, in their order, in one trip. */
    public static List<Waiting> waiting(String owner, List<Schedule> schedules) {
        List<Request> requests = new ArrayList<>();
        for (Schedule schedule : schedules) {
            Place place = schedule.ground.shards().place(owner);
            requests.add(place.ask("ZCARD", schedule.items()));
            requests.add(place.ask("ZRANGE", schedule.items(), "0", "0", "WITHSCORES"));
        }
        if (requests.isEmpty()) {
            return List.of();
        }
        List<Object> replies =
                new ArrayList<>(schedules.getFirst().ground.redis().callAll(requests));
        List<Waiting> all = new ArrayList<>();
        for (int i = 0; i + 1 < replies.size(); i += 2) {
            List<?> first = Replies.list(replies.get(i + 1));
            all.add(
                    new Waiting(
                            Replies.number(replies.get(i)),
                            first.size() < 2
                                    ? OptionalLong.empty()
                                    : OptionalLong.of(
                                            (long)
                                                    Double.parseDouble(
                                                            Replies.textOrEmpty(first.get(1))))));
        }
        return all;
    }

    /**
     * When the first item is due, in ms since 1970, be it claimed or not; empty if nothing waits.
     */
    public OptionalLong firstDue() {
        List<Request> requests = new ArrayList<>();
        for (Place place : ground.shards().all()) {
            requests.add(place.ask("ZRANGE", items(), "0", "0", "WITHSCORES"));
        }
        return ground.redis().callAll(requests).stream()
                .map(Replies::list)
                .filter(first -> first.size() > 1)
                .mapToLong(first -> (long) Double.parseDouble(Replies.textOrEmpty(first.get(1))))
                .min();
    }

    /** Its name, as it was asked for. */
    public String name() {
        return name;
    }

    /** How many items wait, due or not. */
    public long size() {
        List<Request> requests = new ArrayList<>();
        for (Place place : ground.shards().all()) {
            requests.add(place.ask("ZCARD", items()));
        }
        return ground.redis().callAll(requests).stream().mapToLong(Replies::number).sum();
    }
}
