package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.feed.FeedHealth;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** What a feed promises, the same on a single server and on a cluster. */
@OnEachSite
final class FeedTest extends EngineContract {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Topic TOPIC = Topic.named("changes");

    FeedTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private void announce(Topic topic, String device, String body) {
        Event event = new Event(Shards.mint(device), device, 1, 0);
        keyspace.commit(device)
                .create(Plant.EVENTS, event)
                .with(keyspace.feed(topic).fact(body.getBytes(UTF_8)))
                .run()
                .orThrow();
    }

    private static List<String> bodies(List<FeedReader.Unread> unread) {
        List<String> bodies = new ArrayList<>();
        for (FeedReader.Unread shard : unread) {
            shard.facts().forEach(fact -> bodies.add(new String(fact.body(), UTF_8)));
        }
        return bodies;
    }

    private void markRead(List<FeedReader.Unread> unread) {
        for (FeedReader.Unread shard : unread) {
            keyspace.ground()
                    .commit(shard.place())
                    .with(shard.readTo(shard.facts().getLast()))
                    .run()
                    .orThrow();
        }
    }

    @Test
    void facts_are_numbered_without_gaps_in_each_shard() {
        for (int i = 0; i < 50; i++) {
            announce(TOPIC, "device" + i % 5, "fact " + i);
        }
        // A commit that is not done takes no number.
        Event twice = new Event(Shards.mint("device0"), "device0", 1, 0);
        keyspace.store(Plant.EVENTS).create(twice).orThrow();
        assertThat(
                        keyspace.commit("device0")
                                .create(Plant.EVENTS, twice)
                                .with(keyspace.feed(TOPIC).fact(new byte[] {1}))
                                .run()
                                .failedBy(Reason.DUPLICATE))
                .isTrue();
        announce(TOPIC, "device0", "the last one");

        FeedReader reader = keyspace.feed(TOPIC).reader("r", Topic.Behind.GAP, true);
        Map<Integer, Long> last = new TreeMap<>();
        int seen = 0;
        for (FeedReader.Unread shard : reader.next(1000, LONG)) {
            for (Fact fact : shard.facts()) {
                assertThat(fact.number()).isEqualTo(last.merge(fact.shard(), 1L, Long::sum));
                seen++;
            }
        }
        assertThat(seen).isEqualTo(51);
    }

    @Test
    void a_durable_reader_goes_on_where_it_committed_and_not_where_it_only_read() {
        FeedReader reader = keyspace.feed(TOPIC).reader("r", Topic.Behind.GAP, false);
        announce(TOPIC, "pump", "one");
        announce(TOPIC, "pump", "two");
        assertThat(bodies(reader.next(1, LONG))).containsExactly("one");
        FeedReader again = keyspace.feed(TOPIC).reader("r", Topic.Behind.GAP, false);
        List<FeedReader.Unread> unread = again.next(1, LONG);
        assertThat(bodies(unread)).containsExactly("one");
        markRead(unread);
        assertThat(bodies(reader.next(10, LONG))).containsExactly("two");
    }

    @Test
    void who_wants_none_of_it_passes_over_what_was_there_when_it_looked() {
        FeedReader reader = keyspace.feed(TOPIC).reader("r", Topic.Behind.GAP, false);
        assertThat(reader.ends()).isEmpty();
        announce(TOPIC, "pump", "one");
        announce(TOPIC, "pump", "two");
        List<FeedReader.Unread> ends = reader.ends();
        assertThat(bodies(ends)).isEmpty();
        announce(TOPIC, "pump", "three");
        FeedReader.Unread end = ends.getFirst();
        reader.commit(end).with(end.readToEnd()).run().orThrow();
        assertThat(bodies(reader.next(10, LONG))).containsExactly("three");
        // Somebody else has moved on meanwhile.
        assertThat(reader.commit(end).with(end.readToEnd()).run().failedBy(Reason.CONFLICT))
                .isTrue();
    }

    @Test
    void two_processes_with_one_reader_do_each_effect_once() {
        FeedReader reader = keyspace.feed(TOPIC).reader("r", Topic.Behind.GAP, false);
        announce(TOPIC, "pump", "one");
        FeedReader.Unread unread = reader.next(1, LONG).getFirst();
        Fact fact = unread.facts().getFirst();
        Cell.Key counter = Plant.COUNTER.at("pump");
        assertThat(
                        keyspace.commit("pump")
                                .increment(counter, 1)
                                .with(unread.readTo(fact))
                                .run()
                                .isDone())
                .isTrue();
        assertThat(
                        keyspace.commit("pump")
                                .increment(counter, 1)
                                .with(unread.readTo(fact))
                                .run()
                                .failedBy(Reason.CONFLICT))
                .isTrue();
        assertThat(raw("pump", "GET", counter.key())).isEqualTo("1");
    }

    @Test
    void a_new_reader_begins_with_the_next_fact_unless_it_wants_the_oldest() {
        announce(TOPIC, "pump", "before");
        FeedReader now = keyspace.feed(TOPIC).reader("now", Topic.Behind.GAP, false);
        FeedReader start = keyspace.feed(TOPIC).reader("start", Topic.Behind.GAP, true);
        announce(TOPIC, "pump", "after");
        assertThat(bodies(now.next(10, LONG))).containsExactly("after");
        assertThat(bodies(start.next(10, LONG))).containsExactly("before", "after");
    }

    @Test
    void a_waiting_reader_is_woken_by_another_process() throws Exception {
        FeedReader reader = keyspace.feed(TOPIC).reader("r", Topic.Behind.GAP, false);
        CompletableFuture<List<FeedReader.Unread>> waiting =
                CompletableFuture.supplyAsync(
                        () -> reader.next(10, LONG), Thread::startVirtualThread);
        try (var other = site.connect()) {
            Keyspace elsewhere = new Keyspace(other, catalogue());
            elsewhere
                    .commit("valve")
                    .increment(Plant.COUNTER.at("valve"), 1)
                    .with(keyspace.feed(TOPIC).fact("hello".getBytes(UTF_8)))
                    .run()
                    .orThrow();
            assertThat(bodies(waiting.get())).containsExactly("hello");
        }
    }

    @Test
    void old_facts_are_dropped_but_not_those_a_reader_waits_for() {
        Topic small = TOPIC.keeping(Duration.ofDays(1), 100, 10_000);
        FeedReader reader = keyspace.feed(small).reader("r", Topic.Behind.GAP, false);
        for (int i = 0; i < 50; i++) {
            announce(small, "pump", "0123456789");
        }
        keyspace.feed(small).trim();
        assertThat(raw("pump", "XLEN", "millrace:feed:changes")).isEqualTo(50L);
        List<FeedReader.Unread> unread = reader.next(30, LONG);
        markRead(unread);
        keyspace.feed(small).trim();
        assertThat(raw("pump", "XLEN", "millrace:feed:changes")).isEqualTo(20L);
        markRead(reader.next(100, LONG));
        keyspace.feed(small).trim();
        assertThat(raw("pump", "XLEN", "millrace:feed:changes")).isEqualTo(10L);
    }

    @Test
    void a_reader_that_is_too_far_behind_gets_a_gap_and_is_told() {
        Topic small = TOPIC.keeping(Duration.ofDays(1), 100, 200);
        FeedReader reader = keyspace.feed(small).reader("slow", Topic.Behind.GAP, false);
        for (int i = 0; i < 50; i++) {
            announce(small, "pump", "0123456789");
        }
        keyspace.feed(small).trim();
        FeedHealth health = keyspace.feed(small).health();
        assertThat(health.fullest()).isLessThanOrEqualTo(200);
        assertThat(health.readers())
                .singleElement()
                .satisfies(
                        slow -> {
                            assertThat(slow.name()).isEqualTo("slow");
                            assertThat(slow.policy()).isEqualTo(Topic.Behind.GAP);
                            assertThat(slow.unread() + slow.lost()).isEqualTo(50);
                            assertThat(slow.lost()).isGreaterThanOrEqualTo(30);
                            assertThat(slow.since()).isPresent();
                        });
        FeedReader.Unread unread = reader.next(100, LONG).getFirst();
        FeedReader.Gap gap = unread.gap().orElseThrow();
        assertThat(gap.from()).isEqualTo(1);
        assertThat(unread.facts().getFirst().number()).isEqualTo(gap.to() + 1);
        assertThat(
                        keyspace.commit("pump")
                                .with(unread.closed(gap))
                                .with(unread.readTo(unread.facts().getLast()))
                                .run()
                                .isDone())
                .isTrue();
        assertThat(reader.next(100, Duration.ZERO)).isEmpty();
        assertThat(keyspace.feed(small).health().readers())
                .allMatch(slow -> slow.unread() == 0 && slow.lost() == 0);
    }

    @Test
    void a_feed_is_bounded_by_those_who_write_to_it() {
        Topic small = TOPIC.keeping(Duration.ofDays(1), 1_000, 10_000);
        for (int i = 0; i < 1_000; i++) {
            announce(small, "pump", "0123456789");
        }
        await().untilAsserted(
                        () ->
                                assertThat(keyspace.feed(small).health().fullest())
                                        .isLessThanOrEqualTo(1_100));
    }

    @Test
    void a_reader_that_must_not_lose_anything_makes_writes_stop_and_go_on() {
        Topic small = TOPIC.keeping(Duration.ofDays(1), 100, 200);
        FeedReader reader = keyspace.feed(small).reader("strict", Topic.Behind.REFUSE, false);
        int done = 0;
        while (keyspace.commit("pump")
                .with(keyspace.feed(small).fact(new byte[10]))
                .run()
                .isDone()) {
            done++;
        }
        assertThat(done).isEqualTo(20);
        assertThat(
                        keyspace.commit("pump")
                                .with(keyspace.feed(small).fact(new byte[10]))
                                .run()
                                .failedBy(Reason.FULL))
                .isTrue();
        keyspace.feed(small).trim();
        assertThat(raw("pump", "XLEN", "millrace:feed:changes")).isEqualTo(20L);
        markRead(reader.next(100, LONG));
        await().until(
                        () ->
                                keyspace.commit("pump")
                                        .with(keyspace.feed(small).fact(new byte[10]))
                                        .run()
                                        .isDone());
        keyspace.feed(small).forget("strict");
        for (int i = 0; i < 50; i++) {
            keyspace.commit("pump").with(keyspace.feed(small).fact(new byte[10])).run().orThrow();
        }
    }

    /** As after a power cut without fsync, soon after it was made known. */
    @Test
    void a_reader_that_the_server_has_lost_is_made_known_again() {
        FeedReader reader = keyspace.feed(TOPIC).reader("copier", Topic.Behind.REFUSE, true);
        announce(TOPIC, "pump", "read");
        markRead(reader.next(100, LONG));
        keyspace.feed(TOPIC).forget("copier");
        announce(TOPIC, "pump", "afterwards");
        assertThat(
                        reader.next(100, LONG).stream()
                                .flatMap(unread -> unread.facts().stream())
                                .map(fact -> new String(fact.body(), UTF_8)))
                .contains("afterwards");
    }

    @Test
    void a_client_resumes_from_its_own_cursor() {
        announce(TOPIC, "pump", "before");
        FeedCursor cursor = keyspace.feed(TOPIC).now();
        assertThat(keyspace.feed(TOPIC).since(cursor, 10))
                .isInstanceOfSatisfying(
                        Changes.Facts.class, facts -> assertThat(facts.facts()).isEmpty());
        announce(TOPIC, "pump", "one");
        announce(TOPIC, "pump", "two");
        announce(TOPIC, "valve", "three");
        FeedCursor sent = FeedCursor.parse(cursor.text());
        Changes.Facts some = (Changes.Facts) keyspace.feed(TOPIC).since(sent, 1);
        assertThat(some.more()).isTrue();
        Changes.Facts rest = (Changes.Facts) keyspace.feed(TOPIC).since(some.next(), 10);
        assertThat(rest.more()).isFalse();
        assertThat(some.facts().size() + rest.facts().size()).isEqualTo(3);
    }

    @Test
    void a_client_whose_cursor_is_of_no_use_is_told_to_reload() {
        Topic small = TOPIC.keeping(Duration.ofDays(1), 1, 1);
        announce(small, "pump", "zero");
        FeedCursor cursor = keyspace.feed(small).now();
        announce(small, "pump", "one");
        announce(small, "pump", "two");
        FeedCursor ahead =
                new FeedCursor(
                        cursor.epoch(), cursor.numbers().stream().map(n -> n + 100).toList());
        assertThat(keyspace.feed(small).since(ahead, 10)).isInstanceOf(Changes.Reload.class);
        FeedCursor other = new FeedCursor("other", cursor.numbers());
        assertThat(keyspace.feed(small).since(other, 10)).isInstanceOf(Changes.Reload.class);
        keyspace.feed(small).trim();
        assertThat(keyspace.feed(small).since(cursor, 10)).isInstanceOf(Changes.Reload.class);
    }

    @Test
    void a_feed_whose_state_was_lost_goes_on_behind_its_last_number() {
        announce(TOPIC, "pump", "one");
        announce(TOPIC, "pump", "two");
        raw("pump", "DEL", "millrace:feed-state:changes");
        announce(TOPIC, "pump", "three");
        assertThat(raw("pump", "HGET", "millrace:feed-state:changes", "seq")).isEqualTo("3");
    }
}
