package dev.millrace.keyspace.backup;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.backup.file.ContentSum;
import dev.millrace.keyspace.backup.file.Held;
import dev.millrace.keyspace.backup.rdb.Body;
import dev.millrace.keyspace.backup.rdb.Part;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.Replies;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Where a backup goes on a single server: everything to its own name. What was in several shards of
 * a cluster comes together here. Members and fields simply join; of the keys that a cluster keeps
 * in every shard, numbers are added up, as whoever reads them from a cluster does; and of two
 * strings one has to give way: the one that expires sooner, or else the later one in the file.
 */
final class RestoreToServer {
    private final Ground ground;
    private final RestoreBatch batch;
    private final RestoreWriter writer;
    private final Sorting sorting;
    private final ContentTally expected;
    private final Place place;
    private long merged;

    /**
     * @param expected what the file holds; what gives way is taken back from it
     */
    RestoreToServer(Ground ground, RestoreBatch batch, ContentTally expected) {
        this.ground = ground;
        this.batch = batch;
        this.writer = new RestoreWriter(batch);
        this.sorting = new Sorting(ground);
        this.expected = expected;
        this.place = ground.shards().place(Declaration.SITE);
    }

    long merged() {
        return merged;
    }

    void put(Held held) {
        Part part = held.part();
        boolean alone = held.shard() == Held.NONE;
        boolean split = !alone && sorting.split(part.key());
        switch (part.body()) {
            case Body.Text text when !alone -> string(part, text.bytes());
            case Body.Fields fields when split -> fields(part, fields.flat());
            case Body.Scores scores when split -> scores(part, scores.members());
            case Body.Text _,
                    Body.Items _,
                    Body.Members _,
                    Body.Fields _,
                    Body.Scores _,
                    Body.Entries _,
                    Body.StreamState _ ->
                    writer.put(place, part);
        }
    }

    private void string(Part part, byte[] bytes) {
        batch.write(
                place,
                List.of(text("SET"), part.key(), bytes, text("NX")),
                answer -> {
                    if (answer == null) {
                        decide(part, bytes);
                    } else if (part.expires()) {
                        expire(part);
                    }
                });
    }

    private void decide(Part part, byte[] bytes) {
        merged++;
        String key = Sorting.name(part.key());
        byte[] there = Replies.bytes(ask("GET", key));
        long until = Replies.number(ask("PEXPIRETIME", key));
        Part other =
                new Part(part.key(), until < 0 ? Part.NEVER : until, new Body.Text(there), true);
        if (other.expires() && (!part.expires() || part.expireAt() > until)) {
            expected.takeBack(other);
            batch.write(place, List.of(text("SET"), part.key(), bytes));
            if (part.expires()) {
                expire(part);
            }
        } else {
            expected.takeBack(part);
        }
    }

    private @Nullable Object ask(String command, String key) {
        return ground.redis().call(place.ask(command, key));
    }

    private void expire(Part part) {
        batch.write(place, List.of(text("PEXPIREAT"), part.key(), number(part.expireAt())));
    }

    private void fields(Part part, List<byte[]> flat) {
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            byte[] field = flat.get(i);
            byte[] value = flat.get(i + 1);
            if (ContentSum.isWhole(value)) {
                batch.write(place, List.of(text("HINCRBY"), part.key(), field, value));
            } else {
                batch.write(
                        place,
                        List.of(text("HSETNX"), part.key(), field, value),
                        answer -> given(answer, part, new Body.Fields(List.of(field, value))));
            }
        }
        if (part.expires()) {
            expire(part);
        }
    }

    private void scores(Part part, List<Body.Scored> members) {
        for (Body.Scored each : members) {
            byte[] score = RestoreWriter.score(each.score());
            if (ContentSum.isWhole(each.score())) {
                batch.write(place, List.of(text("ZINCRBY"), part.key(), score, each.member()));
            } else {
                batch.write(
                        place,
                        List.of(text("ZADD"), part.key(), text("NX"), score, each.member()),
                        answer -> given(answer, part, new Body.Scores(List.of(each))));
            }
        }
        if (part.expires()) {
            expire(part);
        }
    }

    /** What was there already stays. */
    private void given(@Nullable Object answer, Part part, Body one) {
        if (!Replies.isPresent(answer)) {
            merged++;
            expected.takeBack(new Part(part.key(), part.expireAt(), one, false));
        }
    }
}
