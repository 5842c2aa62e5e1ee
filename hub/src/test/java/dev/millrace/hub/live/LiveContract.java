package dev.millrace.hub.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Tokens;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** What holds for server-sent events and WebSockets, on one server and on a cluster. */
abstract class LiveContract {
    @Parameter Site site;

    static final Topic TOPIC = Topic.named("live-test");
    static final Topic OTHER = Topic.named("live-other");
    static final LiveFeed FEED = LiveFeed.of("plant", TOPIC, Role.VIEWER, "plant");
    static final LiveFeed SECOND = LiveFeed.of("other", OTHER, Role.ADMIN, "other");

    private final List<AutoCloseable> open = new ArrayList<>();
    private boolean begun;

    String redisUrl() {
        return site.url();
    }

    abstract Listener connect(String url, String feeds, String after, Optional<String> token);

    @BeforeEach
    void begin() {
        SharedServers.flushAll();
        begun = true;
    }

    @AfterEach
    void end() throws Exception {
        assertThat(begun).isTrue();
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    final TestHub hub(LiveFeed... feeds) {
        return hub(TestHub.SETTINGS, Mode.OPEN, feeds);
    }

    final TestHub hub(LiveSettings settings, Mode mode, LiveFeed... feeds) {
        TestHub hub = new TestHub(redisUrl(), settings, mode, feeds);
        open.add(hub);
        return hub;
    }

    final Listener listen(TestHub hub, String feeds) {
        return listen(hub, feeds, "");
    }

    final Listener listen(TestHub hub, String feeds, String after) {
        Listener listener = connect(hub.url(), feeds, after, Optional.empty());
        open.add(listener);
        return listener;
    }

    static void write(TestHub hub, int writer, int number) {
        hub.write(TOPIC, "owner-" + writer, fact(writer, number));
    }

    static String fact(int writer, int number) {
        return "{\"w\":%d,\"n\":%d}".formatted(writer, number);
    }

    static void writeAll(TestHub hub, int writers, int each) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int w = 0; w < writers; w++) {
                int writer = w;
                threads.execute(
                        () -> {
                            for (int n = 0; n < each; n++) {
                                write(hub, writer, n);
                            }
                        });
            }
        }
    }

    /** Everything once, and of each writer in its order. */
    static void assertComplete(List<String> facts, int writers, int each) {
        assertThat(facts).doesNotHaveDuplicates().hasSize(writers * each);
        for (int w = 0; w < writers; w++) {
            String start = "{\"w\":%d,".formatted(w);
            List<String> expected = new ArrayList<>();
            for (int n = 0; n < each; n++) {
                expected.add(fact(w, n));
            }
            assertThat(facts.stream().filter(fact -> fact.startsWith(start)).toList())
                    .isEqualTo(expected);
        }
    }

    static List<String> all(TestHub hub) {
        FeedCursor now = hub.keyspace.feed(TOPIC).now();
        FeedCursor start =
                new FeedCursor(now.epoch(), now.numbers().stream().map(n -> 0L).toList());
        Changes.Facts found = (Changes.Facts) hub.keyspace.feed(TOPIC).since(start, 1_000_000);
        return found.facts().stream()
                .map(Fact::body)
                .map(body -> new String(body, StandardCharsets.UTF_8))
                .toList();
    }

    // ------------------------------------------------------------------ completeness and order

    @Test
    void every_listener_hears_every_fact_once_in_the_order_of_its_writer() {
        TestHub hub = hub(FEED);
        List<Listener> listeners =
                List.of(listen(hub, "plant"), listen(hub, "plant"), listen(hub, "plant"));
        listeners.forEach(listener -> listener.awaitEvent("ready"));
        writeAll(hub, 4, 150);
        for (Listener listener : listeners) {
            listener.awaitFacts("plant", 600);
            assertComplete(listener.facts("plant"), 4, 150);
            assertThat(listener.facts("plant")).containsExactlyInAnyOrderElementsOf(all(hub));
        }
        assertThat(hub.figure("millrace.live.clients")).isEqualTo(3);
    }

    @Test
    void facts_of_another_hub_arrive_too() {
        TestHub here = hub(FEED);
        TestHub there = hub(FEED);
        Listener listener = listen(here, "plant").awaitEvent("ready");
        write(there, 1, 1);
        listener.awaitFacts("plant", 1);
        assertThat(listener.facts("plant")).containsExactly(fact(1, 1));
    }

    @Test
    void several_feeds_come_through_one_connection() {
        TestHub hub = hub(FEED, SECOND);
        Listener listener = listen(hub, "plant,other").awaitEvent("ready");
        for (int i = 0; i < 50; i++) {
            write(hub, i % 3, i);
            hub.write(OTHER, "owner-" + i, "{\"i\":" + i + "}");
        }
        listener.awaitFacts("plant", 50).awaitFacts("other", 50);
        String after = listener.after();
        listener.close();
        write(hub, 9, 9);
        hub.write(OTHER, "x", "{\"i\":99}");
        Listener again = listen(hub, "plant,other", after).awaitEvent("ready");
        again.awaitFacts("plant", 1).awaitFacts("other", 1);
        assertThat(again.facts("plant")).containsExactly(fact(9, 9));
        assertThat(again.facts("other")).containsExactly("{\"i\":99}");
    }

    // ------------------------------------------------------------------ resuming

    @Test
    void a_restart_of_the_hub_loses_and_doubles_nothing() throws Exception {
        TestHub writer = hub();
        TestHub first = hub(FEED);
        Listener before = listen(first, "plant").awaitEvent("ready");
        Thread writing = Thread.startVirtualThread(() -> writeAll(writer, 4, 200));
        before.awaitFacts("plant", 100);
        first.close();
        open.remove(first);
        before.awaitEnd();
        assertThat(before.has("bye")).isTrue();
        writing.join();
        TestHub second = hub(FEED);
        Listener after = listen(second, "plant", before.after()).awaitEvent("ready");
        List<String> both = new ArrayList<>(before.facts("plant"));
        after.awaitFacts("plant", 800 - both.size());
        both.addAll(after.facts("plant"));
        assertComplete(both, 4, 200);
        assertThat(after.has("reload")).isFalse();
    }

    @Test
    void who_is_behind_the_memory_of_the_hub_catches_up_from_redis_while_others_write()
            throws Exception {
        LiveSettings small =
                new LiveSettings(100, Duration.ofSeconds(15), Duration.ofSeconds(60), 64);
        TestHub hub = hub(small, Mode.OPEN, FEED);
        Listener first = listen(hub, "plant").awaitEvent("ready");
        String start = first.after();
        assertThat(start).isNotEmpty();
        Thread writing = Thread.startVirtualThread(() -> writeAll(hub, 4, 400));
        first.awaitFacts("plant", 300);
        List<Listener> late = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            late.add(listen(hub, "plant", start));
        }
        writing.join();
        for (Listener listener : late) {
            listener.awaitFacts("plant", 1600).awaitEvent("ready");
            assertComplete(listener.facts("plant"), 4, 400);
            assertThat(listener.has("reload")).isFalse();
        }
        first.awaitFacts("plant", 1600);
        assertComplete(first.facts("plant"), 4, 400);
    }

    @Test
    void a_cursor_of_another_epoch_means_reload_and_then_changes() {
        TestHub hub = hub(FEED);
        FeedCursor now = hub.keyspace.feed(TOPIC).now();
        String old = "plant:" + new FeedCursor("long-ago", now.numbers()).text();
        Listener listener = listen(hub, "plant", old).awaitEvent("ready");
        assertThat(listener.heard().getFirst().event()).isEqualTo("reload");
        write(hub, 1, 1);
        listener.awaitFacts("plant", 1);
        assertThat(hub.figure("millrace.live.reloads")).isEqualTo(1);
    }

    @Test
    void a_cursor_nobody_can_read_means_reload() {
        TestHub hub = hub(FEED);
        Listener listener = listen(hub, "plant", "plant:what?").awaitEvent("ready");
        assertThat(listener.heard().getFirst().event()).isEqualTo("reload");
    }

    @Test
    void a_cursor_whose_facts_were_dropped_means_reload() {
        Topic tiny = TOPIC.keeping(Duration.ofDays(1), 2000, 4000);
        LiveFeed feed = LiveFeed.of("plant", tiny, Role.VIEWER, "plant");
        LiveSettings small =
                new LiveSettings(100, Duration.ofSeconds(15), Duration.ofSeconds(60), 16);
        TestHub hub = hub(small, Mode.OPEN, feed);
        for (int i = 0; i < 400; i++) {
            hub.write(tiny, "owner", fact(1, i));
        }
        hub.keyspace.feed(tiny).trim();
        Listener late = listen(hub, "plant", old(hub, tiny)).awaitEvent("ready");
        assertThat(late.heard().getFirst().event()).isEqualTo("reload");
        assertThat(late.facts("plant")).isEmpty();
    }

    private static String old(TestHub hub, Topic topic) {
        FeedCursor now = hub.keyspace.feed(topic).now();
        return "plant:"
                + new FeedCursor(now.epoch(), now.numbers().stream().map(n -> 0L).toList()).text();
    }

    // ------------------------------------------------------------------ snapshots

    @Test
    void a_snapshot_and_the_changes_after_it_miss_nothing() throws Exception {
        AtomicInteger state = new AtomicInteger();
        LiveFeed counting =
                FEED.withSnapshot(
                        () -> Integer.toString(state.get()).getBytes(StandardCharsets.UTF_8));
        TestHub hub = hub(counting);
        AtomicBoolean stop = new AtomicBoolean();
        Thread writing =
                Thread.startVirtualThread(
                        () -> {
                            for (int i = 1; !stop.get() || i < 50; i++) {
                                // The state is never behind the feed, as with a commit of both.
                                state.set(i);
                                hub.write(TOPIC, "counter", Integer.toString(i));
                            }
                        });
        for (int i = 0; i < 10; i++) {
            Listener listener = listen(hub, "plant").awaitEvent("snapshot").awaitFacts("plant", 3);
            assertThat(listener.heard().getFirst().event()).isEqualTo("snapshot");
            String text = listener.heard().getFirst().data();
            int from = Integer.parseInt(text.replaceAll(".*\"state\":(\\d+).*", "$1"));
            List<Integer> changes = listener.facts("plant").stream().map(Integer::valueOf).toList();
            assertThat(changes.getFirst()).isLessThanOrEqualTo(from + 1);
            for (int k = 1; k < changes.size(); k++) {
                assertThat(changes.get(k)).isEqualTo(changes.get(k - 1) + 1);
            }
            listener.close();
        }
        stop.set(true);
        writing.join();
    }

    // ------------------------------------------------------------------ access

    @Test
    void a_revoked_token_ends_its_streams_and_no_others() {
        TestHub hub = hub(TestHub.SETTINGS, Mode.TOKEN, FEED, SECOND);
        Tokens.Made one = token(hub, "one", Role.VIEWER);
        Tokens.Made two = token(hub, "two", Role.VIEWER);
        Listener ending = connect(hub.url(), "plant", "", Optional.of(one.text()));
        Listener staying = connect(hub.url(), "plant", "", Optional.of(two.text()));
        open.add(staying);
        ending.awaitEvent("ready");
        staying.awaitEvent("ready");
        hub.access.tokens().revoke(one.token().id(), new Actor("test", "here")).orThrow();
        ending.awaitEvent("bye").awaitEnd();
        write(hub, 1, 1);
        staying.awaitFacts("plant", 1);
        assertThat(ending.facts("plant")).isEmpty();
        assertThat(staying.has("bye")).isFalse();
    }

    static Tokens.Made token(TestHub hub, String name, Role role) {
        return hub.access
                .tokens()
                .create(
                        new Tokens.Wish(name, role, List.of(), Optional.empty()),
                        new Actor("test", "here"))
                .orThrow();
    }
}
