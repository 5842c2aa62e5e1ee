package dev.millrace.keyspace.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.EngineContract;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.Frame;
import dev.millrace.keyspace.redis.Packing;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.Dump;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;
import dev.millrace.keyspace.testing.TestServer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Commits that only store what is new travel in a form of their own. It does just what the usual
 * form does, or nothing at all; and where it does nothing, nobody notices.
 */
final class CreationsTest extends EngineContract {
    record Note(String id, String device, String name, long time) {}

    private static final Layout<Note> NOTES =
            Layout.json("n:{id:name}", Note.class)
                    .ownedBy("device")
                    .sorted("note", 0)
                    .sorted("note:time", Note::time)
                    .sorted("note:name:{name}", Note::time);

    private static final Cell PARTS =
            Cell.of(KeyType.SORTED_SET, "parts:{device:name}:{of:name}").ownedBy("device");
    private static final Topic TOLD = Topic.named("told");
    private static final Topic OTHER = Topic.named("other");
    private static final Script RUN = Script.of(Commit.class, "run", "feeds");

    private final TestServer server = SharedServers.standalone();

    CreationsTest() {
        super(Site.STANDALONE);
    }

    @Override
    protected Catalogue catalogue() {
        return Keyspace.catalogue(List.of(NOTES, PARTS));
    }

    private Commit commit() {
        return keyspace.commit("pump");
    }

    private Commit creating(String id) {
        return commit().create(NOTES, new Note(id, "pump", "flow", 5));
    }

    private static boolean isPacked(Commit commit) {
        Request request = commit.basket().request();
        return Creations.suits(request.args().walk().next().text()) && request.mayBePacked();
    }

    // ---------------------------------------------------------------- what takes this form

    @Test
    void a_commit_takes_this_form_if_all_it_writes_is_new() {
        Cell.Key list = PARTS.at("pump", "whole");
        assertThat(isPacked(creating("a"))).isTrue();
        assertThat(isPacked(creating("a").addSorted(list, 0, "a"))).isTrue();
        assertThat(isPacked(creating("a").with(keyspace.feed(TOLD).fact(new byte[] {1})))).isTrue();
        // Somebody else may be on the list already, and could not be put back.
        assertThat(isPacked(creating("a").addSorted(list, 0, "b"))).isFalse();
        assertThat(isPacked(creating("a").removeSorted(list, "a"))).isFalse();
        assertThat(isPacked(creating("a").memberPresent(list, "a"))).isFalse();
        assertThat(isPacked(creating("a").once("token"))).isFalse();
        assertThat(isPacked(commit().with(keyspace.feed(TOLD).fact(new byte[] {1})))).isFalse();
    }

    // ---------------------------------------------------------------- any commits

    /** The first numbers of neighbouring seeds are nearly the same. */
    private static Random random(int seed) {
        return new Random(seed * 1_000_000_007L);
    }

    private List<Request> someCommits(Random random) {
        List<Request> commits = new ArrayList<>();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            Commit commit = commit();
            String last = "";
            for (int j = 1 + random.nextInt(2); j > 0; j--) {
                last = "n" + random.nextInt(20) + "-" + j;
                String name = random.nextBoolean() ? "flow" : "level";
                commit.create(NOTES, new Note(last, "pump", name, random.nextInt(3)));
                commit.addSorted(PARTS.at("pump", "of" + i), j, last);
            }
            if (random.nextInt(3) > 0) {
                Topic topic = random.nextInt(4) > 0 ? TOLD : OTHER;
                commit.with(keyspace.feed(topic).fact(new byte[] {(byte) i}));
            }
            commits.add(commit.basket().request());
        }
        return commits;
    }

    private @Nullable Object call(Packing.@Nullable Call call) {
        return call == null
                ? null
                : redis.call(
                        Request.script(
                                call.script(), 0, 0, call.keys().split(), call.args().split()));
    }

    private @Nullable Object usually(List<Request> commits) {
        Frame keys = new Frame();
        Frame args = new Frame();
        for (Request each : commits) {
            keys = keys.and(each.keys());
            args = args.and(each.args());
        }
        return call(new Packing.Call(RUN, keys, args));
    }

    private void plant(Random random) {
        server.flushAll();
        switch (random.nextInt(8)) {
            case 0 -> server.command("SET", "n:n3-1", "somebody else's");
            case 1 -> server.command("SET", "note:name:level", "wrong");
            case 2 -> server.command("LPUSH", "parts:pump:of2", "wrong");
            case 3 -> server.command("SET", "millrace:feed:told", "wrong");
            case 4 -> server.command("ZADD", "note", "7", "n5-1");
            default -> {}
        }
    }

    /** The ids in a stream carry the time of the server. */
    private List<Object> left() {
        List<Object> left = new ArrayList<>();
        for (Object key : (List<?>) server.command("KEYS", "*")) {
            if (server.command("TYPE", key.toString()).equals("stream")) {
                left.add(key + " " + server.command("XLEN", key.toString()));
                server.command("DEL", key.toString());
            }
        }
        left.sort(null);
        left.add(Dump.of(server));
        return left;
    }

    @Test
    void it_does_what_the_usual_form_does_or_nothing() {
        int packed = 0;
        int refused = 0;
        for (int seed = 0; seed < 600; seed++) {
            List<Request> commits = someCommits(random(seed));
            plant(random(seed));
            Dump before = Dump.of(server);
            Object answer = call(Creations.FORM.of(commits));
            if (answer == null) {
                refused++;
                assertThat(Dump.of(server)).as("seed %s", seed).isEqualTo(before);
            } else {
                packed++;
                List<Object> left = left();
                plant(random(seed));
                assertThat(answer).as("seed %s", seed).isEqualTo(usually(commits));
                assertThat(left()).as("seed %s", seed).isEqualTo(left);
            }
        }
        assertThat(packed).isGreaterThan(100);
        assertThat(refused).isGreaterThan(100);
        server.flushAll();
    }

    @Test
    void what_must_be_absent_for_one_and_is_written_by_another_is_left_to_the_usual_form() {
        Cell.Key list = PARTS.at("pump", "whole");
        List<Request> commits = new ArrayList<>();
        for (String id : List.of("a", "b")) {
            commits.add(creating(id).absent(list).addSorted(list, 0, id).basket().request());
        }
        assertThat(commits).allMatch(Request::mayBePacked);
        assertThat(Creations.FORM.of(commits)).isNull();
        assertThat(done(creating("a").absent(list).addSorted(list, 0, "a").run())).isZero();
        notDone(Reason.DUPLICATE, creating("b").absent(list).addSorted(list, 0, "b").run());
    }

    // ---------------------------------------------------------------- through the engine

    @Test
    void one_that_cannot_be_stored_takes_nothing_of_the_others_with_it() {
        server.command("SET", "note:name:wrong", "a text");
        done(creating("old").run());
        List<CompletableFuture<Outcome<Long>>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(
                    switch (i % 40) {
                        case 7 -> creating("old").send();
                        case 9 ->
                                commit().create(NOTES, new Note("w" + i, "pump", "wrong", 1))
                                        .send();
                        default ->
                                creating("n" + i)
                                        .with(keyspace.feed(TOLD).fact(new byte[] {1}))
                                        .send();
                    });
        }
        for (int i = 0; i < all.size(); i++) {
            Outcome<Long> outcome = all.get(i).join();
            switch (i % 40) {
                case 7 -> notDone(Reason.DUPLICATE, outcome);
                case 9 -> notDone(Reason.WRONG_TYPE, outcome);
                default -> done(outcome);
            }
        }
        assertThat(server.command("ZCARD", "note")).isEqualTo(191L);
        assertThat(server.command("EXISTS", "n:w9", "n:w49")).isEqualTo(0L);
        server.command("DEL", "note:name:wrong");
    }

    @Test
    void what_goes_to_one_key_is_one_command_and_nothing_is_probed() {
        List<Request> commits = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            commits.add(creating("n" + i).basket().request());
        }
        server.command("CONFIG", "RESETSTAT");
        assertThat(call(Creations.FORM.of(commits))).isNotNull();
        String stats = String.valueOf(server.command("INFO", "commandstats"));
        assertThat(stats).contains("cmdstat_zadd:calls=3,").contains("cmdstat_mset:calls=1,");
        assertThat(stats).contains("cmdstat_exists:calls=1,").doesNotContain("cmdstat_zcard");
    }
}
