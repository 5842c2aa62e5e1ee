package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What must hold between a look at Redis and a change that happens meanwhile. */
class TokenMirrorTest {
    private final TokenText text = TokenText.random();
    private final StoredToken token =
            new StoredToken(
                    text.id(),
                    "x",
                    Role.VIEWER,
                    List.of(),
                    HexFormat.of().formatHex(text.hash()),
                    Instant.EPOCH,
                    "test",
                    null,
                    null);
    private final Times times = new Times();
    private final AtomicInteger reads = new AtomicInteger();
    private volatile String mark = "1";
    private volatile List<StoredToken> stored = List.of(token);
    private volatile Runnable whileReading = () -> {};
    private TokenMirror mirror;

    @BeforeEach
    void begin() {
        mirror =
                new TokenMirror(
                        () -> Optional.of(mark),
                        () -> {
                            reads.incrementAndGet();
                            List<StoredToken> answer = stored;
                            Runnable meanwhile = whileReading;
                            whileReading = () -> {};
                            meanwhile.run();
                            return answer;
                        },
                        times::nanos);
    }

    private Verdict verify() {
        return mirror.verify(text.text(), times.millis());
    }

    @Test
    void before_the_first_look_nothing_is_known() {
        assertThat(verify()).isEqualTo(new Verdict.Unavailable());
        mirror.refresh();
        assertThat(verify()).isInstanceOf(Verdict.Good.class);
    }

    @Test
    void a_read_that_was_under_way_does_not_bring_back_what_was_revoked() {
        mirror.refresh();
        mark = "2";
        whileReading =
                () -> {
                    stored = List.of();
                    mark = "3";
                    mirror.remove(token.id());
                };
        mirror.refresh();
        assertThat(verify()).isEqualTo(new Verdict.Absent(token.id()));
        assertThat(reads).hasValue(3);
    }

    @Test
    void an_own_change_does_not_hide_one_of_another_hub() {
        mirror.refresh();
        stored = List.of(); // another hub has revoked it
        mark = "2";
        StoredToken own =
                new StoredToken(
                        "bbbbbbbb",
                        "y",
                        Role.VIEWER,
                        List.of(),
                        token.sha256(),
                        Instant.EPOCH,
                        "test",
                        null,
                        null);
        mark = "3"; // and this one has made another
        stored = List.of(own);
        mirror.add(own);
        assertThat(verify()).isInstanceOf(Verdict.Good.class);
        mirror.refresh();
        assertThat(verify()).isEqualTo(new Verdict.Absent(token.id()));
    }

    @Test
    void as_long_as_the_mark_is_the_same_tokens_are_read_every_ten_seconds_only() {
        for (int i = 0; i < 20; i++) {
            mirror.refresh();
            times.pass(Duration.ofMillis(500));
        }
        assertThat(reads).hasValue(1);
        stored = List.of(); // deleted by hand, without a new mark
        mirror.refresh();
        assertThat(verify()).isEqualTo(new Verdict.Absent(token.id()));
    }

    @Test
    void what_is_known_stays_good_for_a_minute_without_redis() {
        mirror.refresh();
        whileReading =
                () -> {
                    throw new RedisException(Reason.UNAVAILABLE, "away");
                };
        mark = "2";
        times.pass(TokenMirror.OUTAGE);
        assertThatThrownBy(mirror::refresh).hasMessage("away");
        assertThat(verify()).isInstanceOf(Verdict.Good.class);
        times.pass(Duration.ofNanos(1));
        assertThat(verify()).isEqualTo(new Verdict.Unavailable());
        mirror.refresh();
        assertThat(verify()).isInstanceOf(Verdict.Good.class);
    }

    @Test
    void many_who_ask_at_once_share_one_look() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        whileReading =
                () -> {
                    reading.countDown();
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                };
        List<Thread> threads = new ArrayList<>();
        threads.add(Thread.startVirtualThread(mirror::refresh));
        reading.await();
        times.pass(Duration.ofMillis(1)); // these ask after that look began, and need another
        for (int i = 0; i < 100; i++) {
            threads.add(Thread.startVirtualThread(mirror::refresh));
        }
        List<Thread> late = threads.subList(1, threads.size());
        await().until(() -> late.stream().allMatch(t -> t.getState() == Thread.State.WAITING));
        mark = "2";
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(reads).hasValue(2);
    }
}
