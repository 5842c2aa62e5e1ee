package dev.millrace.keyspace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** With which commands pages, walks and many ids are read. */
@OnEachSite
final class PlainReadsTest extends TwoStepsContract {
    PlainReadsTest(Site site) {
        super(site);
    }

    /** What was seen counts for some seconds; a test may be slower than that. */
    private void callsAre(Runnable work, Consumer<Map<String, Integer>> calls) {
        await().untilAsserted(
                        () -> {
                            work.run();
                            calls.accept(callsOf(work));
                        });
    }

    @Test
    void a_page_from_the_beginning_is_two_plain_commands() {
        List<Sample> all = plant(60, 100);
        callsAre(
                () -> assertThat(ofLine().limit(50).page().values()).isEqualTo(all.subList(0, 50)),
                calls -> assertThat(calls).isEqualTo(Map.of("zrange", 1, "mget", 1)));
    }

    @Test
    void a_walk_and_a_range_of_scores_need_no_script_either() {
        List<Sample> all = plant(60, 100);
        List<Sample> some = all.stream().filter(each -> each.made() <= 10).toList();
        callsAre(
                () -> {
                    assertThat(values(ofLine().walk(50))).isEqualTo(all.subList(0, 50));
                    assertThat(values(ofLine().between(0, 10).walk(50))).isEqualTo(some);
                },
                calls -> assertThat(calls).isEqualTo(Map.of("zrange", 2, "mget", 2)));
    }

    @Test
    void with_a_cursor_or_a_second_index_a_script_finds_the_entries_and_no_values() {
        List<Sample> all = plant(60, 100);
        Cursor cursor = new Cursor(all.get(9).made(), all.get(9).id());
        callsAre(
                () -> {
                    assertThat(ofLine().after(cursor).page().values())
                            .isEqualTo(all.subList(10, 60));
                    Query<Sample> both = ofLine().and("samples:name:{name}", "ph");
                    assertThat(values(both.walk(50))).isEqualTo(all.subList(0, 50));
                },
                calls ->
                        assertThat(calls)
                                .containsEntry("evalsha", 2)
                                .containsEntry("mget", 2)
                                .containsEntry("zmscore", 1)
                                .doesNotContainKey("get"));
    }

    @Test
    void parts_come_by_one_command_together_with_what_they_belong_to() {
        List<Batch> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.addFirst(plantBatch(i, 3));
        }
        callsAre(
                () -> {
                    List<Whole<Batch, Sample>> found =
                            wholes(batches.query("batches:{line}", "a").newestFirst());
                    assertThat(found).extracting(each -> each.head().value()).isEqualTo(all);
                    assertThat(found).allMatch(each -> each.parts().size() == 3);
                },
                calls ->
                        assertThat(calls)
                                .containsEntry("evalsha", 1)
                                .containsEntry("mget", 1)
                                .doesNotContainKey("get"));
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
            done(
                    samples.replace(
                            each, new Sample(old.id(), "a", "ph", old.made(), "x".repeat(9000))));
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
}
