package dev.millrace.keyspace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** What may happen between the entries and the values. */
@OnEachSite
final class TwoStepsTest extends TwoStepsContract {
    TwoStepsTest(Site site) {
        super(site);
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
    void what_leaves_the_index_or_its_range_in_between_is_not_found() {
        bothWays(
                () -> {
                    List<Sample> all = plant(9, 10);
                    Sample old = all.get(4);
                    Sample later = new Sample(old.id(), "a", "ph", 77, "1");
                    assertThat(
                                    read(
                                            samples,
                                            ofLine().between(0, 76),
                                            null,
                                            () -> done(samples.update(old.id(), each -> later))))
                            .extracting(each -> each.stored().value())
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
    void what_gets_another_place_in_between_is_found_where_it_was_as_it_is_then() {
        bothWays(
                () -> {
                    List<Sample> all = plant(9, 10);
                    Sample old = all.get(4);
                    Sample later = new Sample(old.id(), "a", "ph", 77, "1");
                    List<Sample> expected = new ArrayList<>(all);
                    expected.set(4, later);
                    assertThat(whatIsFoundIf(() -> done(samples.update(old.id(), each -> later))))
                            .isEqualTo(expected);
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
                                    all.get(0),
                                    all.get(1),
                                    all.get(3),
                                    all.get(5),
                                    all.get(7),
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
                    assertThat(whatIsFoundIf(() -> {})).hasSize(9).first().isEqualTo(all.get(4));
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
            long wear = 10L + round;
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
