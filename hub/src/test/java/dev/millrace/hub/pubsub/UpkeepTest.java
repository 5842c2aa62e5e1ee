package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.pubsub.channels.AckHandle;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * What is kept beside the messages: when subscribers were seen, and how much was published in a
 * second. It follows every call, and none of it stays for ever.
 */
@OnEachSite
final class UpkeepTest extends PubsubContract {
    private static final String SEEN = "millrace:seen:{ch}";
    private static final String RATE = "millrace:rate:{slow}";

    /** More than any channel here lives, in s. */
    private static final long A_DAY = 86_400;

    @Override
    List<String> settings() {
        return List.of(
                "pubsub.channels=[{regex: .+}, {regex: slow, maxPerSecond: 3}]",
                "pubsub.http.longPollingMaxTimeout=200ms",
                "pubsub.http.pollingMaxMessages=10");
    }

    /** As if everybody had been seen long ago, by a server that lets it live for ever. */
    private void forgetWhen() {
        redis("DEL", SEEN);
        redis("ZADD", SEEN, "1", "s");
    }

    private void isSeenNow() {
        long millis = System.currentTimeMillis();
        assertThat(Double.parseDouble(String.valueOf(redis("ZSCORE", SEEN, "s"))))
                .isBetween(millis - 1000.0 * A_DAY, millis + 1000.0 * A_DAY);
        assertThat(secondsLeft(SEEN)).isBetween(1L, A_DAY);
    }

    // ---------------------------------------------------------------- who was seen

    @Test
    void a_subscriber_is_seen_when_it_is_made_and_made_again() {
        subscribe("ch", "s");
        isSeenNow();
        forgetWhen();
        subscribe("ch", "s");
        isSeenNow();
    }

    @Test
    void a_subscriber_is_seen_when_it_reads() {
        subscribe("ch", "s");
        forgetWhen();
        fetch("ch", "s", "");
        isSeenNow();
    }

    @Test
    void a_subscriber_is_seen_when_it_acknowledges() {
        subscribe("ch", "s");
        publish("ch", "m", "1");
        forgetWhen();
        String handle = AckHandle.of("redis1", "ch", "s", 1);
        assertThat(acknowledge("ch", "s", handle).status()).isEqualTo(204);
        assertThat(get("c.{ch}.r.s")).isEqualTo("1");
        isSeenNow();
    }

    @Test
    void who_was_not_seen_for_longer_than_a_channel_lives_is_forgotten_with_the_next_subscriber() {
        forgetWhen();
        subscribe("ch", "other");
        assertThat(redis("ZRANGE", SEEN, "0", "-1")).isEqualTo(List.of("other"));
    }

    @Test
    void who_is_deleted_is_forgotten() {
        subscribe("ch", "s");
        subscribe("ch", "other");
        hub.send("DELETE", polling("ch", "s"), "");
        assertThat(redis("ZRANGE", SEEN, "0", "-1")).isEqualTo(List.of("other"));
    }

    // ---------------------------------------------------------------- how much in a second

    @Test
    void a_second_begins_with_its_first_message_and_is_not_made_longer_by_others() {
        publish("slow", "a", "1");
        assertThat((Long) redis("PTTL", RATE)).isNotEqualTo(-1).isLessThanOrEqualTo(1000);
        redis("SET", RATE, "1", "EX", "100");
        publish("slow", "b", "1");
        assertThat(get(RATE)).isEqualTo("2");
        assertThat(secondsLeft(RATE)).isGreaterThan(1);
    }

    @Test
    void what_is_refused_does_not_count() {
        redis("SET", RATE, "3", "EX", "100");
        for (int i = 0; i < 3; i++) {
            assertThat(hub.send("PUT", message("slow", "a"), "1").status()).isEqualTo(429);
        }
        assertThat(get(RATE)).isEqualTo("3");
        assertThat(get("c.{slow}.clock")).isNull();
    }

    @Test
    void a_batch_that_is_larger_than_a_second_allows_is_taken_if_it_comes_alone() {
        String body =
                "[%s]"
                        .formatted(
                                String.join(
                                        ",",
                                        IntStream.range(0, 5)
                                                .mapToObj(
                                                        i ->
                                                                "{\"messageID\":\"m%d\",\"content\":1}"
                                                                        .formatted(i))
                                                .toList()));
        assertThat(hub.send("POST", "/channel/slow/messages", body).status()).isEqualTo(200);
        assertThat(get("c.{slow}.clock")).isEqualTo("5");
    }

    // ---------------------------------------------------------------- keys that are none of ours

    /** Several channels each, for only what shares a connection travels together. */
    @Test
    void a_channel_whose_key_is_something_else_fails_alone() {
        redis("RPUSH", RATE, "no number");
        for (int i = 0; i < 16; i++) {
            redis("RPUSH", "c.{bad%d}.clock".formatted(i), "no clock");
        }
        for (int round = 0; round < 20; round++) {
            List<CompletableFuture<Reply>> good = new ArrayList<>();
            List<CompletableFuture<Reply>> bad = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                good.add(publishLater("good" + i, "m" + round));
                bad.add(publishLater(i == 0 ? "slow" : "bad" + i, "m" + round));
            }
            assertThat(good).allMatch(reply -> reply.join().status() == 200);
            assertThat(bad).allMatch(reply -> reply.join().status() >= 400);
            // Nobody is told to come again in a second: it would be as wrong then.
            assertThat(bad).noneMatch(reply -> reply.join().status() == 429);
        }
        assertThat(get("c.{slow}.clock")).isNull();
        for (int i = 0; i < 16; i++) {
            assertThat(get("c.{good%d}.clock".formatted(i))).isEqualTo("20");
            // A check would name it, and rightly.
            redis("DEL", "c.{bad%d}.clock".formatted(i));
        }
        redis("DEL", RATE);
    }

    private CompletableFuture<Reply> publishLater(String channel, String id) {
        return CompletableFuture.supplyAsync(
                () -> {
                    Reply reply = hub.send("PUT", message(channel, id), "1");
                    // A machine with too much to do has not even sent it.
                    return reply.body().contains("did not take the request in time")
                            ? publishLater(channel, id).join()
                            : reply;
                },
                Thread::startVirtualThread);
    }

    // ---------------------------------------------------------------- large pages

    @Test
    void a_page_ends_before_it_grows_too_large_and_the_next_one_goes_on() {
        subscribe("ch", "s");
        String large = "\"" + "x".repeat(900_000) + "\"";
        for (int i = 0; i < 8; i++) {
            publish("ch", "m" + i, large);
        }
        Reply page = fetch("ch", "s", "");
        assertThat(ids(page)).containsExactly("m0", "m1", "m2", "m3", "m4");
        assertThat(page.json().get("moreMessages").asBoolean()).isTrue();
        acknowledge("ch", "s", handle(page));
        Reply rest = fetch("ch", "s", "");
        assertThat(ids(rest)).containsExactly("m5", "m6", "m7");
        assertThat(rest.json().get("moreMessages").asBoolean()).isFalse();
    }

    @Test
    void nobody_gets_more_at_once_and_waits_longer_than_is_set() throws Exception {
        subscribe("ch", "s");
        for (int i = 0; i < 12; i++) {
            publish("ch", "m" + i, "1");
        }
        Reply page = fetch("ch", "s", "?max=1000000000000");
        assertThat(ids(page)).hasSize(10);
        assertThat(page.json().get("moreMessages").asBoolean()).isTrue();
        acknowledge("ch", "s", handle(page));
        acknowledge("ch", "s", handle(fetch("ch", "s", "")));
        assertThat(ids(later("ch", "s", "?timeout=8760h").get(120, TimeUnit.SECONDS))).isEmpty();
    }
}
