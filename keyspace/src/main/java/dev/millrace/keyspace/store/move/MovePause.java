package dev.millrace.keyspace.store.move;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * While the servers of a cluster begin their snapshots, nothing changes its owner. Each server has
 * a moment of its own; an entity that went from one to another between the two moments would be in
 * both snapshots, or in none. So every shard gets a mark, and the commit that takes an entity out
 * of its old shard checks that there is none: no move is in between, and no clock is needed. The
 * marks are removed as soon as all snapshots have begun, and expire by themselves.
 */
public final class MovePause {
    static final String KEY = "millrace:backup";
    static final Cell CELL =
            Cell.of(KeyType.STRING, KEY)
                    .bookkeeping()
                    .about("In a cluster: a backup begins, and nothing changes its owner.");

    private static final Duration TIME = Duration.ofSeconds(60);

    private final Redis redis;
    private final List<Place> places;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread renewing;

    private MovePause(Ground ground) {
        this.redis = ground.redis();
        this.places = ground.shards().cluster() ? ground.shards().all() : List.of();
        if (!places.isEmpty()) {
            mark();
        }
        this.renewing = Thread.ofVirtual().name("move-pause").start(this::renew);
    }

    /** Begins one; empty if somebody else has one just now. */
    public static Optional<MovePause> begin(Ground ground) {
        if (ground.shards().cluster()) {
            Place site = ground.shards().place(Declaration.SITE);
            if (ground.redis().call(set(site, "NX")) == null) {
                return Optional.empty();
            }
        }
        return Optional.of(new MovePause(ground));
    }

    private void renew() {
        try {
            while (!ended.await(TIME.toMillis() / 3, TimeUnit.MILLISECONDS)) {
                mark();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void mark() {
        each(MovePause::set);
    }

    private static Request set(Place place, String... more) {
        List<byte[]> command = new ArrayList<>();
        command.add(text("SET"));
        command.add(place.key(KEY));
        command.add(text("1"));
        command.add(text("PX"));
        command.add(number(TIME.toMillis()));
        for (String each : more) {
            command.add(text(each));
        }
        return Request.writing(place.order(), place.slot(), command.toArray(byte[][]::new)).twice();
    }

    private void each(Function<Place, Request> request) {
        redis.callAll(places.stream().map(request).toList());
    }

    /** May be called twice. */
    public void end() {
        if (ended.getCount() == 0) {
            return;
        }
        ended.countDown();
        try {
            renewing.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        each(
                place ->
                        Request.writing(place.order(), place.slot(), text("DEL"), place.key(KEY))
                                .twice());
    }

    static Outcome<Long> refusal(String key) {
        return Outcome.notDone(
                Reason.UNAVAILABLE,
                key + " cannot change its owner while a backup begins; try again in a moment.");
    }
}
