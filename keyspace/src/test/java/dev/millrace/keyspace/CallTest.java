package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.CallScripts.Noted;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** A room's own scripts: each caller gets its own answer, whoever else calls meanwhile. */
@OnEachSite
final class CallTest extends EngineContract {
    private static final int CALLERS = 8;
    private static final int CALLS = 500;

    private CallScripts scripts;

    CallTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void scripts() {
        scripts = new CallScripts(keyspace);
    }

    private List<String> words(String owner) {
        return scripts.words(owner).join();
    }

    /** Another owner, whose things live in the same place as those of this one, or in another. */
    private String other(String owner, boolean together) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "other" + i)
                .filter(each -> (Shards.shard(each) == Shards.shard(owner)) == together)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void one_call_writes_what_it_says_and_gives_its_own_answer() {
        assertThat(scripts.note("pump", "first").join())
                .isEqualTo(new Noted("first", 1, fullKey("pump", "queue:pump")));
        assertThat(scripts.note("pump", "second").join().count()).isEqualTo(2);
        assertThat(raw("pump", "LRANGE", "queue:pump", "0", "-1"))
                .isEqualTo(List.of("first", "second"));
        assertThat(words("pump")).containsExactly("first", "second");
        assertThat(words("valve")).isEmpty();
    }

    @Test
    void a_word_may_be_empty_or_hold_any_bytes() {
        assertThat(scripts.note("pump", "").join().word()).isEmpty();
        assertThat(scripts.noteTogether("pump", "a\r\n\0$1 ü").join().word())
                .isEqualTo("a\r\n\0$1 ü");
        assertThat(words("pump")).containsExactly("", "a\r\n\0$1 ü");
    }

    @Test
    void calls_that_do_not_wait_for_each_other_are_done_once_each_and_answered_each_to_its_own() {
        List<CompletableFuture<Noted>> answers = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            answers.add(scripts.noteTogether("pump", "word" + i));
        }
        List<Long> counts = new ArrayList<>();
        boolean merged = false;
        for (int i = 0; i < CALLS; i++) {
            Noted noted = answers.get(i).join();
            assertThat(noted.word()).isEqualTo("word" + i);
            counts.add(noted.count());
            merged |= Integer.parseInt(noted.about()) > 1;
        }
        assertThat(counts).doesNotHaveDuplicates().hasSize(CALLS);
        assertThat(merged).as("some came together").isTrue();
        assertThat(words("pump"))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, CALLS).mapToObj(i -> "word" + i).toList());
    }

    /** What was counted as the nth word is the nth: the answer is that of the very same moment. */
    @Test
    void the_answers_of_calls_that_came_together_fit_what_each_wrote() {
        String neighbour = other("pump", true);
        List<CompletableFuture<Noted>> pump = new ArrayList<>();
        List<CompletableFuture<Noted>> beside = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            pump.add(scripts.noteTogether("pump", "p" + i));
            beside.add(scripts.noteTogether(neighbour, "n" + i));
        }
        fits(pump, words("pump"));
        fits(beside, words(neighbour));
    }

    private static void fits(List<CompletableFuture<Noted>> answers, List<String> words) {
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        assertThat(words).hasSize(answers.size());
        for (CompletableFuture<Noted> each : answers) {
            assertThat(words.get((int) each.join().count() - 1)).isEqualTo(each.join().word());
        }
    }

    @Test
    void many_callers_on_one_lane_get_their_own_answers() throws Exception {
        try (Redis oneLane = Redis.open(Patience.options(site.url()).withLanes(1));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CallScripts shared = new CallScripts(new Keyspace(oneLane, Plant.CATALOGUE));
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                // Some share an owner, and with it a place, a counter and an order.
                String owner = "owner" + i / 2;
                String name = "caller" + i + "-";
                callers.add(threads.submit(() -> callOften(shared, owner, name)));
            }
            for (Future<?> each : callers) {
                each.get();
            }
            for (int i = 0; i < CALLERS / 2; i++) {
                assertThat(words("owner" + i)).hasSize(2 * CALLS).doesNotHaveDuplicates();
            }
        }
    }

    private static void callOften(CallScripts shared, String owner, String name) {
        long before = 0;
        for (int n = 0; n < CALLS; n++) {
            String word = name + n;
            Noted noted =
                    (n % 2 == 0 ? shared.note(owner, word) : shared.noteTogether(owner, word))
                            .join();
            assertThat(noted.word()).isEqualTo(word);
            // Whoever waits for an answer is behind it with the next call.
            assertThat(noted.count()).isGreaterThan(before);
            before = noted.count();
            if (n % 50 == 0) {
                assertThat(shared.words(owner).join()).contains(word);
            }
        }
    }

    @Test
    void keys_that_do_not_live_together_are_refused_before_anything_is_sent() {
        String far = other("pump", false);
        assertThatThrownBy(
                        () ->
                                keyspace.call(
                                        CallScripts.NOTE,
                                        List.of(Plant.QUEUE.at("pump"), Plant.COUNTER.at(far)),
                                        new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("counter:%s does not live with queue:pump.".formatted(far));
        assertThat(allKeys()).isEmpty();
    }
}
