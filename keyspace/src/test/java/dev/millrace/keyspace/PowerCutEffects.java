package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.schedule.Schedule;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What follows from the facts and items of {@link PowerCutHub}, done by the hub under load and by
 * the test afterwards. Inside Redis each effect adds one to a field of its own, in the commit that
 * moves the cursor or ends the item, so a field that is not 1 tells of an effect lost or doubled.
 * Outside it is a line of text, said before that commit.
 */
final class PowerCutEffects {
    static final Topic TOPIC = Topic.named("changes");
    private static final Cell.Key COPIES = Plant.VALUES.at("copies");
    private static final Cell.Key ENDS = Plant.VALUES.at("ends");

    private final Keyspace keyspace;
    private final Consumer<String> outside;
    private final FeedReader reader;

    PowerCutEffects(Keyspace keyspace, Consumer<String> outside) {
        this.keyspace = keyspace;
        this.outside = outside;
        this.reader = keyspace.feed(TOPIC).reader("copier", Topic.Behind.REFUSE, true);
    }

    Schedule schedule() {
        return keyspace.schedule("jobs");
    }

    /** Whether there was something to copy; another reader may have been quicker to do it. */
    boolean copyFacts(Duration wait) {
        List<FeedReader.Unread> all = reader.next(50, wait);
        for (FeedReader.Unread unread : all) {
            Commit commit = reader.commit(unread);
            for (Fact fact : unread.facts()) {
                String field = fact.number() + " " + new String(fact.body(), UTF_8);
                outside.accept("outside fact " + field);
                commit.incrementField(COPIES, field, 1);
            }
            commit.with(unread.readTo(unread.facts().getLast())).run();
        }
        return !all.isEmpty();
    }

    void doItems(int most, Duration lease, Runnable beforeEach) {
        for (Schedule.Claim claim : schedule().claim(most, lease)) {
            outside.accept("outside item " + claim.id());
            beforeEach.run();
            Outcome<Long> outcome =
                    claim.commit().incrementField(ENDS, claim.id(), 1).with(claim.done()).run();
            if (outcome instanceof Outcome.Unknown) {
                return;
            }
        }
    }

    /** Does all that is left to do. */
    void finish() {
        while (copyFacts(Duration.ZERO) || schedule().size() > 0) {
            doItems(1000, Duration.ofMinutes(5), () -> {});
        }
    }

    /** How often each fact, named by its number and id, was copied. */
    Map<String, Integer> copies() {
        return counts(COPIES);
    }

    /** How often each item was done. */
    Map<String, Integer> ends() {
        return counts(ENDS);
    }

    private Map<String, Integer> counts(Cell.Key key) {
        Place place = keyspace.ground().shards().place(key);
        List<?> flat = Replies.list(keyspace.redis().call(place.ask("HGETALL", key.key())));
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            counts.put(
                    Replies.textOrEmpty(flat.get(i)),
                    Integer.valueOf(Replies.textOrEmpty(flat.get(i + 1))));
        }
        return counts;
    }
}
