package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.number;

import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Things due later. An item is put in by a commit ({@link Commit#schedule}), beside whatever makes
 * it necessary; when it is due, whichever process comes first claims it for the time of a lease.
 * Its effect is a commit that contains {@link Commit#finish} or {@link Commit#reschedule}: both
 * carry the check that the claim still holds, so an item that was claimed again in the meantime is
 * done by the later claimer only.
 *
 * <p>One sorted set in each shard, with the due time as score. Thread-safe.
 */
public final class Schedule {
    private static final KeyPattern ITEMS = KeyPattern.of("millrace:schedule:{name:name}");
    private static final KeyPattern BODIES = KeyPattern.of("millrace:schedule-body:{name:name}");
    private static final Script CLAIM = Script.of(Schedule.class, "claim");

    private final Keyspace keyspace;
    private final String name;

    Schedule(Keyspace keyspace, String name) {
        this.keyspace = keyspace;
        this.name = name;
    }

    String items() {
        return ITEMS.key(name);
    }

    String bodies() {
        return BODIES.key(name);
    }

    /**
     * An item that is ours until its lease ends.
     *
     * @param score the proof of the claim
     */
    public record Claim(Schedule schedule, Place place, String id, String score, byte[] body) {

        /** A basket in the shard of the item, for its effect. */
        public Commit commit() {
            return schedule.keyspace.commit(place).forAnyOwner();
        }
    }

    /** Claims what is due now, at most so much from each shard. */
    public List<Claim> claim(int most, Duration lease) {
        List<Wish> wishes = new ArrayList<>();
        for (Place place : keyspace.shards().all()) {
            wishes.add(new Wish(this, place, most));
        }
        return claim(keyspace, wishes, lease);
    }

    /** Claims what is due now where this owner lives, for items that are put only there. */
    public List<Claim> claim(String owner, int most, Duration lease) {
        return claim(keyspace, List.of(at(owner, most)), lease);
    }

    /**
     * Claims from several schedules of one keyspace in one round trip.
     *
     * @param wishes from {@link #at}
     */
    public static List<Claim> claimAll(List<Wish> wishes, Duration lease) {
        return wishes.isEmpty()
                ? List.of()
                : claim(wishes.getFirst().schedule.keyspace, wishes, lease);
    }

    /** What {@link #claimAll} is to claim from this schedule, where this owner lives. */
    public Wish at(String owner, int most) {
        return new Wish(this, keyspace.shards().place(owner), most);
    }

    /** How much to claim, and where. */
    public record Wish(Schedule schedule, Place place, int most) {}

    private static List<Claim> claim(Keyspace keyspace, List<Wish> wishes, Duration lease) {
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
        List<Object> replies = new ArrayList<>(keyspace.redis().callAll(requests));
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
            Place place = schedule.keyspace.shards().place(owner);
            requests.add(Check.ask(place, "ZCARD", schedule.items()));
            requests.add(Check.ask(place, "ZRANGE", schedule.items(), "0", "0", "WITHSCORES"));
        }
        if (requests.isEmpty()) {
            return List.of();
        }
        List<Object> replies =
                new ArrayList<>(schedules.getFirst().keyspace.redis().callAll(requests));
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

    /** Its name, as it was asked for. */
    public String name() {
        return name;
    }

    /** How many items wait, due or not. */
    public long size() {
        List<Request> requests = new ArrayList<>();
        for (Place place : keyspace.shards().all()) {
            requests.add(Check.ask(place, "ZCARD", items()));
        }
        return keyspace.redis().callAll(requests).stream().mapToLong(Replies::number).sum();
    }
}
