package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.feed.FeedHealth;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A reader that stops for long, and a server that forgets. */
final class FeedFaultTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int FACTS = Boolean.getBoolean("millrace.full") ? 400_000 : 40_000;
    private static final int BODY = 500;

    private static final Topic TOPIC =
            Topic.named("changes").keeping(Duration.ofDays(1), 1 << 20, 6 << 20);

    /** What may come on top: facts on their way while others are dropped, and the stream's own. */
    private static final long SLACK = 3 << 20;

    private static final int BATCH = 200;

    private TestServer server;
    private Redis redis;
    private Keyspace keyspace;

    @BeforeEach
    void start() {
        server = TestServer.start();
        redis = Redis.open(RedisOptions.of(server.url()).withTimes(LONG, LONG));
        keyspace = new Keyspace(redis, Plant.CATALOGUE);
    }

    @AfterEach
    void stop() {
        redis.close();
        server.close();
    }

    private Commit announcing() {
        return keyspace.commit("pump")
                .increment(Plant.COUNTER.at("pump"), 1)
                .with(keyspace.feed(TOPIC).fact(new byte[BODY]));
    }

    /** So many at once; what became of each. */
    private List<Outcome<Long>> announce(int count) {
        List<CompletableFuture<Outcome<Long>>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(announcing().send());
        }
        return sent.stream().map(CompletableFuture::join).toList();
    }

    private long streamBytes() {
        Object bytes = server.command("MEMORY", "USAGE", "millrace:feed:changes");
        return bytes == null ? 0 : (Long) bytes;
    }

    @Test
    void a_reader_that_may_miss_something_does_not_hold_up_writes_or_fill_the_memory() {
        FeedReader reader = keyspace.feed(TOPIC).reader("slow", Topic.Behind.GAP, false);
        for (int written = 0; written < FACTS; written += BATCH) {
            assertThat(announce(BATCH)).allMatch(Outcome::isDone);
            // The oldest are dropped beside the writing, which may take a moment to catch up.
            await().until(() -> streamBytes() < TOPIC.hardCap() + SLACK);
        }
        await().until(() -> keyspace.feed(TOPIC).health().fullest() <= TOPIC.hardCap());

        FeedHealth.Reader slow = keyspace.feed(TOPIC).health().readers().getFirst();
        assertThat(slow.lost()).isGreaterThan(FACTS / 2);
        assertThat(slow.lost() + slow.unread()).isEqualTo(FACTS);

        FeedReader.Unread unread = reader.next(FACTS, LONG).getFirst();
        FeedReader.Gap gap = unread.gap().orElseThrow();
        assertThat(gap.from()).isEqualTo(1);
        assertThat(unread.facts().getFirst().number()).isEqualTo(gap.to() + 1);
        assertThat(unread.facts().getLast().number()).isEqualTo(FACTS);
        reader.commit(unread)
                .with(unread.closed(gap))
                .with(unread.readTo(unread.facts().getLast()))
                .run()
                .orThrow();
        assertThat(announce(1)).allMatch(Outcome::isDone);
        assertThat(reader.next(10, LONG).getFirst().gap()).isEmpty();
    }

    @Test
    void a_reader_that_must_not_miss_anything_holds_up_only_what_it_has_to_hear_of() {
        FeedReader reader = keyspace.feed(TOPIC).reader("strict", Topic.Behind.REFUSE, false);
        long done = 0;
        List<Outcome<Long>> last;
        do {
            last = announce(BATCH);
            done += last.stream().filter(Outcome::isDone).count();
        } while (last.stream().allMatch(Outcome::isDone));
        assertThat(last).allMatch(each -> each.isDone() || each.failedBy(Reason.FULL));
        assertThat(done).isEqualTo(TOPIC.hardCap() / BODY);
        for (int i = 0; i < 10; i++) {
            assertThat(announce(BATCH)).allMatch(each -> each.failedBy(Reason.FULL));
        }
        assertThat(streamBytes()).isLessThan(TOPIC.hardCap() + SLACK);
        assertThat(server.command("GET", "counter:pump")).isEqualTo(Long.toString(done));
        keyspace.commit("pump").increment(Plant.COUNTER.at("pump"), 1).run().orThrow();

        long next = 1;
        while (next <= done) {
            FeedReader.Unread unread = reader.next(100, LONG).getFirst();
            assertThat(unread.gap()).isEmpty();
            for (Fact fact : unread.facts()) {
                assertThat(fact.number()).isEqualTo(next++);
            }
            reader.commit(unread).with(unread.readTo(unread.facts().getLast())).run().orThrow();
        }
        await().until(() -> announcing().run().isDone());
    }

    @Test
    void a_server_that_forgets_is_noticed_by_whoever_remembers() {
        FeedReader reader = keyspace.feed(TOPIC).reader("copier", Topic.Behind.GAP, false);
        announce(10);
        FeedReader.Unread early = reader.next(4, LONG).getFirst();
        reader.commit(early).with(early.readTo(early.facts().getLast())).run().orThrow();
        server.command("SAVE");

        announce(10);
        FeedCursor cursor = FeedCursor.parse(keyspace.feed(TOPIC).now().text());
        FeedReader.Unread late = reader.next(100, LONG).getFirst();
        reader.commit(late).with(late.readTo(late.facts().getLast())).run().orThrow();
        server.restart(); // keeps no append-only file: what came after the snapshot is gone

        await().until(() -> announcing().run().isDone());
        announce(30);
        assertThat(keyspace.feed(TOPIC).since(cursor, 100)).isInstanceOf(Changes.Reload.class);
        FeedReader.Unread again = reader.next(100, LONG).getFirst();
        assertThat(again.facts().getFirst().number()).isEqualTo(5);
        assertThat(again.facts().getLast().number())
                .isEqualTo(4L + again.facts().size())
                .isGreaterThanOrEqualTo(41);
        assertThat(reader.commit(late).with(late.readTo(late.facts().getLast())).run())
                .matches(outcome -> outcome.failedBy(Reason.CONFLICT));
    }
}
