package dev.millrace.keyspace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.EngineContract;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** First the entries, then the values: with which commands, and what may happen in between. */
@OnEachSite
final class TwoStepsTest extends EngineContract {
    record Batch(String id, String line, long made) {}

    record Sample(String id, String line, String name, long made, String value) {}

    record Tool(String tool, long wear) {}

    private static final Layout<Batch> BATCHES =
            Layout.json("batch:{id:id}", Batch.class)
                    .ownedBy("line")
                    .sorted("batches:{line}", Batch::made);

    private static final Layout<Sample> SAMPLES =
            Layout.json("{id:id}", Sample.class)
                    .ownedBy("line")
                    .kind("samples")
                    .sorted("samples", 0)
                    .sorted("samples:made", Sample::made)
                    .sorted("samples:line:{line}", Sample::made)
                    .sorted("samples:name:{name}", Sample::made);

    /** Others write these too. */
    private static final Layout<Tool> TOOLS =
            Layout.json("tool:{tool:name}", Tool.class)
                    .ownedBySite()
                    .foreign()
                    .sorted("tools", Tool::wear);

    private static final Cell LIST =
            Cell.of(KeyType.SORTED_SET, "batch-samples:{batch:id}")
                    .livesBeside("line", BATCHES, "batch")
                    .listing(SAMPLES);

    private static final Catalogue CATALOGUE =
            Keyspace.catalogue(BATCHES, SAMPLES, TOOLS, LIST);

    private static final String LINE = "samples:line:{line}";
    private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z]+):calls=([0-9]+)");

    private Ground ground;
    private Store<Sample> samples;
    private Store<Batch> batches;
    private Store<Tool> tools;

    TwoStepsTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    @BeforeEach
    void stores() {
        ground = Ground.of(redis, CATALOGUE);
        samples = new Store<>(ground, SAMPLES);
        batches = new Store<>(ground, BATCHES);
        tools = new Store<>(ground, TOOLS);
    }

    private static Sample sample(long made, String value) {
        return new Sample(Shards.mint("a"), "a", "ph", made, value);
    }

    /** Newest first. */
    private List<Sample> plant(int count, int size) {
        List<Sample> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Sample sample = sample(i / 3, i + "x".repeat(size));
            done(samples.create(sample));
            all.add(sample);
        }
        all.sort((one, other) -> one.made() == other.made()
                ? other.id().compareTo(one.id())
                : Long.compare(other.made(), one.made()));
        return all;
    }

    private Batch plantBatch(long made, int parts) {
        Batch batch = new Batch(Shards.mint("a"), "a", made);
        Commit commit = keyspace.commit("a").create(BATCHES, batch);
        for (int i = 0; i < parts; i++) {
            Sample sample = sample(made, "s" + i);
            commit.create(SAMPLES, sample).addSorted(LIST.of("a", batch.id()), i, sample.id());
        }
        done(commit.run());
        return batch;
    }

    private Query<Sample> ofLine() {
        return samples.query(LINE, "a").newestFirst();
    }

    // ---------------------------------------------------------------- which commands

    /** How often the server of the line was asked for what. */
    private Map<String, Integer> calls() {
        Map<String, Integer> calls = new TreeMap<>();
        Object stats = site.command(fullKey("a", "samples"), "INFO", "commandstats");
        Matcher each = CALLS.matcher(String.valueOf(stats));
        while (each.find()) {
            calls.put(each.group(1), Integer.parseInt(each.group(2)));
        }
        calls.remove("info");
        return calls;
    }

    private Map<String, Integer> callsOf(Runnable work) {
        Map<String, Integer> before = calls();
        work.run();
        Map<String, Integer> after = calls();
        after.replaceAll((command, count) -> count - before.getOrDefault(command, 0));
        after.values().removeIf(count -> count == 0);
        return after;
    }

    @Test
    void a_page_from_the_beginning_is_two_plain_commands_and_two_round_trips() {
        List<Sample> all = plant(60, 100);
        // What was seen counts for some seconds; a test may be slower than that.
        await().untilAsserted(
                        () -> {
                            ofLine().limit(50).page();
                            long batchesBefore = redis.figures().batches();
                            assertThat(
                                            callsOf(
                                                    () ->
                                                            assertThat(
                                                                            ofLine()
                                                                                    .limit(50)
                                                                                    .page()
                                                                                    .values())
                                                                    .isEqualTo(
                                                                            all.subList(0, 50))))
                                    .isEqualTo(Map.of("zrange", 1, "mget", 1));
                            assertThat(redis.figures().batches() - batchesBefore).isEqualTo(2);
                        });
    }

    @Test
    void a_walk_and_a_range_of_scores_need_no_script_either() {
        List<Sample> all = plant(60, 100);
        List<Sample> some = all.stream().filter(each -> each.made() <= 10).toList();
        await().untilAsserted(
                        () -> {
                            values(ofLine().walk(50));
                            assertThat(
                                            callsOf(
                                                    () -> {
                                                        assertThat(values(ofLine().walk(50)))
                                                                .isEqualTo(all.subList(0, 50));
                                                        assertThat(
                                                                        values(
                                                                                ofLine()
                                                                                        .between(
                                                                                                0,
                                                                                                10)
                                                                                        .walk(50)))
                                                                .isEqualTo(some);
                                                    }))
                                    .isEqualTo(Map.of("zrange", 2, "mget", 2));
                        });
    }

    @Test
    void with_a_cursor_or_a_second_index_a_script_finds_the_entries_and_no_values() {
        List<Sample> all = plant(60, 100);
        Cursor cursor = new Cursor(all.get(9).made(), all.get(9).id());
        await().untilAsserted(
                        () -> {
                            values(ofLine().walk(50));
                            assertThat(
                                            callsOf(
                                                    () -> {
                                                        assertThat(
                                                                        ofLine()
                                                                                .after(cursor)
                                                                                .page()
                                                                                .values())
                                                                .isEqualTo(all.subList(10, 60));
                                                        assertThat(
                                                                        values(
                                                                                ofLine()
                                                                                        .and(
                                                                                                "samples:name:{name}",
                                                                                                "ph")
                                                                                        .walk(50)))
                                                                .isEqualTo(all.subList(0, 50));
                                                    }))
                                    .containsEntry("evalsha", 2)
                                    .containsEntry("mget", 2)
                                    .containsEntry("zmscore", 1)
                                    .doesNotContainKey("get");
                        });
    }

    @Test
    void parts_come_by_one_command_together_with_what_they_belong_to() {
        List<Batch> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.addFirst(plantBatch(i, 3));
        }
        await().untilAsserted(
                        () -> {
                            wholes(batches.query("batches:{line}", "a").newestFirst());
                            assertThat(
                                            callsOf(
                                                    () ->
                                                            assertThat(
                                                                            wholes(
                                                                                    batches.query(
                                                                                                    "batches:{line}",
                                                                                                    "a")
                                                                                            .newestFirst()))
                                                                    .allMatch(
                                                                            each ->
                                                                                    each.parts()
                                                                                                    .size()
                                                                                            == 3)
                                                                    .extracting(
                                                                            each ->
                                                                                    each.head()
                                                                                            .value())
                                                                    .isEqualTo(all)))
                                    .containsEntry("evalsha", 1)
                                    .containsEntry("mget", 1)
                                    .doesNotContainKey("get");
                        });
    }

    @Test
    void large_values_come_by_the_script_that_stops_after_so_many_bytes() {
        List<Sample> all = plant(40, 30_000);
        for (int i = 0; i < 2; i++) {
            Map<String, Integer> calls =
                    callsOf(() -> assertThat(values(ofLine().walk(100))).isEqualTo(all));
            // Nine of them are more than one step gives; only the last eight fit in one.
            assertThat(calls.get("get")).isBetween(32, 40);
            assertThat(calls.getOrDefault("mget", 0)).isLessThanOrEqualTo(1);
            assertThat(ofLine().page().values()).isEqualTo(all);
        }
    }

    @Test
    void values_that_have_become_large_are_read_plainly_once_at_most() {
        plant(40, 10);
        values(ofLine().walk(40));
        for (Stored<Sample> each : ofLine().page().items()) {
            Sample old = each.value();
            done(samples.replace(each, new Sample(old.id(), "a", "ph", old.made(), "x".repeat(9000))));
        }
        assertThat(values(ofLine().walk(100))).hasSize(40);
        // Of 9000 bytes each, 29 are a step; then it is known that the others fit.
        assertThat(callsOf(() -> assertThat(values(ofLine().walk(100))).hasSize(40)).get("get"))
                .isGreaterThanOrEqualTo(29);
    }

    @Test
    void many_ids_are_one_command_for_all_values_and_one_for_their_kind() {
        List<Sample> all = plant(300, 10);
        raw("a", "SET", "57ba04a1189b95b8afcdafd7", "not in the index");
        List<String> ids = new ArrayList<>(all.stream().map(Sample::id).toList());
        ids.add(7, "57ba04a1189b95b8afcdafd7");
        ids.add(9, "57ba04a1189b95b8afcdafd8");
        Map<String, Integer> calls =
                callsOf(
                        () ->
                                assertThat(samples.getMany(ids))
                                        .extracting(Stored::value)
                                        .isEqualTo(all));
        assertThat(calls.get("mget")).isGreaterThanOrEqualTo(2);
        assertThat(calls.get("zmscore")).isEqualTo(calls.get("mget"));
        if (!site.cluster()) {
            assertThat(calls).isEqualTo(Map.of("mget", 2, "zmscore", 2));
        }
        raw("a", "DEL", "57ba04a1189b95b8afcdafd7");
    }

    @Test
    void among_many_ids_a_key_of_another_type_is_not_there() {
        List<Sample> all = plant(3, 10);
        String id = all.get(1).id();
        raw("a", "DEL", id);
        raw("a", "RPUSH", id, "x");
        assertThat(samples.getMany(all.stream().map(Sample::id).toList()))
                .extracting(Stored::value)
                .containsExactly(all.get(0), all.get(2));
        driftIsExpected();
    }

    // ---------------------------------------------------------------- in between

    private static <E> List<E> values(Iterator<Stored<E>> walk) {
        List<E> all = new ArrayList<>();
        walk.forEachRemaining(stored -> all.add(stored.value()));
        return all;
    }

    private static List<Whole<Batch, Sample>> wholes(Query<Batch> query) {
        List<Whole<Batch, Sample>> all = new ArrayList<>();
        query.walk(100, LIST, SAMPLES).forEachRemaining(all::add);
        return all;
    }

    /** Reads the entries, does something, and reads what lies behind them then. */
    private <E> List<Hit.Behind<E>> read(
            Store<E> store, Query<E> query, @Nullable Parts<?> parts, Runnable meanwhile) {
        IndexScan<E> scan =
                new IndexScan<>(
                        ground, store, new Reader<>(ground, store.layout()), query.asked(), parts);
        IndexScan.Start start = new IndexScan.Start(scan.places().getFirst(), null);
        List<Hit> hits = scan.find(List.of(start), 100).getFirst().hits();
        meanwhile.run();
        return scan.values().all(hits);
    }

    /** Once with values that nothing is known of, and once with those that are known as small. */
    private void bothWays(Runnable test) {
        test.run();
        for (String key : allKeys()) {
            site.command(key, "DEL", key);
        }
        plant(30, 10);
        await().untilAsserted(
                        () -> {
                            values(ofLine().walk(30));
                            assertThat(callsOf(() -> values(ofLine().walk(30))))
                                    .containsKey("mget");
                        });
        done(ofLine().delete(gone -> {}));
        test.run();
    }

    private List<Sample> whatIsFoundIf(Runnable meanwhile) {
        return read(samples, ofLine(), null, meanwhile).stream()
                .map(each -> each.stored().value())
                .toList();
    }

    @Test
    void what_is_deleted_in_between_is_not_found() {
        bothWays(
                () -> {
                    List<Sample> all = plant(9, 10);
                    assertThat(whatIsFoundIf(() -> done(samples.delete(all.get(4).id()))))
                            .hasSize(8)
                            .doesNotContain(all.get(4));
                    assertThat(whatIsFoundIf(() -> done(ofLine().delete(gone -> {})))).isEmpty();
                });
    }

    @Test
    void what_leaves_the_index_in_between_or_gets_another_place_is_not_found() {
        bothWays(
                () -> {
                    List<Sample> all = plant(9, 10);
                    Sample old = all.get(4);
                    Sample later = new Sample(old.id(), "a", "ph", 77, "1");
                    assertThat(whatIsFoundIf(() -> done(samples.update(old.id(), each -> later))))
                            .hasSize(8)
                            .doesNotContain(old, later);
                    Sample moved = new Sample(old.id(), "b", "ph", 77, "1");
                    assertThat(whatIsFoundIf(() -> done(samples.update(old.id(), each -> moved))))
                            .hasSize(8)
                            .doesNotContain(later, moved);
                    done(samples.delete(old.id()));
                    done(ofLine().delete(gone -> {}));
                });
    }

    @Test
    void what_changes_otherwise_in_between_is_found_as_it_is_then() {
        bothWays(
                () -> {
                    List<Sample> all = plant(9, 10);
                    Sample old = all.get(4);
                    Sample now = new Sample(old.id(), "a", "salt", old.made(), "new");
                    List<Sample> expected = new ArrayList<>(all);
                    expected.set(4, now);
                    assertThat(whatIsFoundIf(() -> done(samples.update(old.id(), each -> now))))
                            .isEqualTo(expected);
                    done(ofLine().delete(gone -> {}));
                });
    }

    @Test
    void what_leaves_the_second_index_in_between_is_not_found() {
        bothWays(
                () -> {
                    List<Sample> all = plant(9, 10);
                    Sample old = all.get(4);
                    Sample now = new Sample(old.id(), "a", "salt", old.made(), "new");
                    Query<Sample> both = ofLine().and("samples:name:{name}", "ph");
                    assertThat(
                                    read(
                                            samples,
                                            both,
                                            null,
                                            () -> done(samples.update(old.id(), each -> now))))
                            .extracting(each -> each.stored().value())
                            .hasSize(8)
                            .doesNotContain(old, now);
                    done(ofLine().delete(gone -> {}));
                });
    }

    @Test
    void a_key_of_another_type_and_no_key_at_all_are_no_values() {
        driftIsExpected();
        bothWays(
                () -> {
                    List<Sample> all = plant(9, 10);
                    raw("a", "DEL", all.get(2).id());
                    raw("a", "DEL", all.get(4).id());
                    raw("a", "HSET", all.get(4).id(), "a", "b");
                    raw("a", "SET", all.get(6).id(), "{broken");
                    assertThat(whatIsFoundIf(() -> {}))
                            .containsExactly(
                                    all.get(0), all.get(1), all.get(3), all.get(5), all.get(7),
                                    all.get(8));
                    assertThat(raw("a", "ZCARD", "samples:line:a")).isEqualTo(9L);
                    for (String key : allKeys()) {
                        site.command(key, "DEL", key);
                    }
                });
    }

    @Test
    void an_entry_that_the_value_does_not_ask_for_is_shown_until_the_check_has_mended_it() {
        driftIsExpected();
        bothWays(
                () -> {
                    List<Sample> all = plant(9, 10);
                    raw("a", "ZADD", "samples:line:a", "500", all.get(4).id());
                    assertThat(whatIsFoundIf(() -> {}))
                            .hasSize(9)
                            .first()
                            .isEqualTo(all.get(4));
                    done(ofLine().delete(gone -> {}));
                    for (String key : allKeys()) {
                        site.command(key, "DEL", key);
                    }
                });
    }

    @Test
    void where_others_write_too_a_change_in_between_mends_nothing_that_is_right() {
        for (int i = 0; i < 5; i++) {
            done(tools.create(new Tool("t" + i, i)));
        }
        for (int round = 0; round < 3; round++) {
            long wear = 10 + round;
            assertThat(
                            read(
                                    tools,
                                    tools.query("tools"),
                                    null,
                                    () -> done(tools.put(new Tool("t2", wear)))))
                    .extracting(each -> each.stored().value().tool())
                    .containsExactly("t0", "t1", "t3", "t4");
            assertThat(tools.query("tools").page().values())
                    .extracting(Tool::tool)
                    .containsExactly("t0", "t1", "t3", "t4", "t2");
        }
    }

    @Test
    void an_entity_and_its_parts_are_those_of_one_moment() {
        Parts<Sample> parts = new Parts<>(ground, LIST, SAMPLES);
        for (int round = 0; round < 2; round++) {
            Batch one = plantBatch(1, 3);
            Batch two = plantBatch(2, 3);
            Query<Batch> query = batches.query("batches:{line}", "a");
            Whole<Batch, Sample> whole = batches.whole(two.id(), LIST, SAMPLES).orElseThrow();
            Commit commit = keyspace.commit("a").delete(BATCHES, whole.head());
            whole.parts().forEach(part -> commit.delete(SAMPLES, part));
            commit.delete(LIST.of("a", two.id()));
            assertThat(read(batches, query, parts, () -> done(commit.run())))
                    .singleElement()
                    .satisfies(
                            behind -> {
                                assertThat(behind.stored().value()).isEqualTo(one);
                                assertThat(behind.parts()).hasSize(6).doesNotContainNull();
                            });
            Whole<Batch, Sample> left = batches.whole(one.id(), LIST, SAMPLES).orElseThrow();
            Stored<Sample> part = left.parts().get(1);
            Runnable taken =
                    () ->
                            done(
                                    keyspace.commit("a")
                                            .delete(SAMPLES, part)
                                            .removeSorted(LIST.of("a", one.id()), part.id())
                                            .run());
            assertThat(read(batches, query, parts, taken))
                    .singleElement()
                    .satisfies(
                            behind -> assertThat(behind.parts()).hasSize(4).doesNotContainNull());
            assertThat(wholes(query)).hasSize(1);
            Commit rest = keyspace.commit("a");
            Whole<Batch, Sample> last = batches.whole(one.id(), LIST, SAMPLES).orElseThrow();
            rest.delete(BATCHES, last.head()).delete(LIST.of("a", one.id()));
            last.parts().forEach(each -> rest.delete(SAMPLES, each));
            done(rest.run());
        }
    }
}
