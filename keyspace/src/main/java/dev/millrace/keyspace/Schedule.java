package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.number;

import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
        List<Place> places = keyspace.shards().all();
        List<Request> requests = new ArrayList<>();
        for (Place place : places) {
            byte[][] keys = {place.key(items()), place.key(bodies())};
            requests.add(
                    Request.script(
                            CLAIM,
                            place.order(),
                            place.slot(),
                            keys,
                            number(lease.toMillis()),
                            number(most)));
        }
        List<Claim> claims = new ArrayList<>();
        List<Object> replies = new ArrayList<>(keyspace.redis().callAll(requests));
        for (int i = 0; i < replies.size(); i++) {
            List<?> reply = Replies.list(replies.get(i));
            for (int j = 0; j + 2 < reply.size(); j += 3) {
                claims.add(
                        new Claim(
                                this,
                                places.get(i),
                                Replies.textOrEmpty(reply.get(j)),
                                Replies.textOrEmpty(reply.get(j + 1)),
                                Replies.bytes(reply.get(j + 2))));
            }
        }
        return claims;
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
