package dev.millrace.keyspace.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.EngineContract;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.redis.Frame;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** A script that does not know a letter fails the commit, and does nothing of it. */
@OnEachSite
final class UnknownOperationTest extends EngineContract {
    private static final Script RUN = Script.of(Commit.class, "run", "feeds");

    UnknownOperationTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Keyspace.catalogue(List.of());
    }

    @AfterEach
    void takeAway() {
        SharedServers.flushAll();
    }

    private Place place() {
        return Ground.of(redis, catalogue()).shards().place("pump");
    }

    private static byte[][] keys(Place place) {
        return new byte[][] {place.key("one"), place.key("two"), place.key("three")};
    }

    private static String full(Place place, String key) {
        return new String(place.key(key), UTF_8);
    }

    /** Sets the first key, does what the second letter says, and sets the third key. */
    private Outcome<Long> run(Place place, String word) {
        Frame args = new Frame().add(word).add(3).add(2).add("1").add("3");
        Request request =
                Request.grouped(
                        RUN, null, place.order(), place.slot(), Frame.of(keys(place)), args);
        Operations writes = new Operations();
        for (byte[] key : keys(place)) {
            writes.add(Operation.SET, key, new byte[0]);
        }
        return new Answer(new Operations(), writes, place, null).of(request, redis.call(request));
    }

    @ParameterizedTest
    @ValueSource(strings = {"S?S", "SzS", "SoS", "S S"})
    void it_fails_the_commit_and_nothing_is_written(String word) {
        Outcome<Long> outcome = run(place(), word);
        notDone(Reason.ERROR, outcome);
        assertThat(outcome).asString().contains("does not know");
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void the_same_with_a_letter_that_it_knows_is_done() {
        Place place = place();
        done(run(place, "SDS"));
        assertThat(allKeys()).containsExactlyInAnyOrder(full(place, "one"), full(place, "three"));
    }

    @Test
    void commits_that_travel_with_it_are_done() {
        Place place = place();
        Frame args = new Frame().add("S").add(1).add(1).add("1");
        args = args.and(new Frame().add("?").add(1).add(2).add("x").add("y"));
        args = args.and(new Frame().add("S").add(1).add(1).add("3"));
        Object reply =
                redis.call(
                        Request.script(
                                RUN, place.order(), place.slot(), keys(place), args.split()));
        assertThat(reply).asInstanceOf(LIST).hasSize(3);
        assertThat(allKeys()).containsExactlyInAnyOrder(full(place, "one"), full(place, "three"));
    }
}
