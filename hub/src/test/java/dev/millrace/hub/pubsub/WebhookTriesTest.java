package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.pubsub.HookReceiver.Got;
import dev.millrace.hub.pubsub.HookReceiver.Reply;
import dev.millrace.hub.pubsub.config.Webhook;
import dev.millrace.hub.pubsub.webhooks.DeadLetters;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** What a webhook's answer leads to, and what becomes of a message that it does not take. */
@OnEachSite
final class WebhookTriesTest extends HooksContract {
    JsonNode dead(String channel) {
        return admin("GET", "/dead", channel).json();
    }

    private dev.millrace.hub.TestHub.Reply admin(String method, String path, String channel) {
        dev.millrace.hub.TestHub.Reply reply =
                hub.send(method, "/admin/channel/" + channel + path, "", Optional.of(TOKEN));
        assertThat(reply.status()).as(reply.body()).isBetween(200, 299);
        return reply;
    }

    private void awaitDead(String channel, int count) {
        await().atMost(PATIENCE).until(() -> dead(channel).get("count").asInt() == count);
        awaitIdle();
    }

    private static boolean givenUpAtOnce(int status) {
        return List.of(401, 402, 403, 405, 406, 407, 426, 431, 451, 501).contains(status)
                || (status >= 410 && status <= 418);
    }

    /** Every status a receiver may answer with, those that redirect apart. */
    @Test
    void every_status_is_taken_given_up_or_tried_again_as_the_table_says() {
        List<Integer> all = new ArrayList<>();
        IntStream.rangeClosed(200, 206).forEach(all::add);
        all.addAll(List.of(299, 300, 304, 305, 306, 399));
        IntStream.rangeClosed(400, 432).forEach(all::add);
        all.addAll(List.of(450, 451, 452, 499));
        IntStream.rangeClosed(500, 511).forEach(all::add);
        receiver.answering(got -> Reply.of(Integer.parseInt(got.id())));
        for (int status : all) {
            publish("quick-s" + status, Integer.toString(status), "1");
        }
        awaitIdle();
        for (int status : all) {
            long calls = receiver.ids().stream().filter(Integer.toString(status)::equals).count();
            long expected = status < 300 || givenUpAtOnce(status) ? 1 : 3;
            assertThat(calls).as("calls for " + status).isEqualTo(expected);
            JsonNode letters = dead("quick-s" + status).get("letters");
            assertThat(letters.size()).as("letters for " + status).isEqualTo(status < 300 ? 0 : 1);
            if (status >= 300) {
                assertThat(letters.get(0).get("status").asInt()).isEqualTo(status);
                assertThat(letters.get(0).get("tries").asInt()).isEqualTo((int) expected);
            }
        }
    }

    @Test
    void with_force_everything_is_tried_again() {
        receiver.answering(403);
        publish("force-a", "m0", "1");
        awaitDead("force-a", 1);
        assertThat(receiver.got()).hasSize(3);
    }

    @Test
    void with_a_count_of_0_nothing_is_tried_again() {
        receiver.answering(500);
        publish("none-a", "m0", "1");
        awaitDead("none-a", 1);
        assertThat(receiver.got()).hasSize(1);
    }

    @Test
    void the_waits_grow_by_the_multiplier_from_the_interval() {
        receiver.answering(500);
        publish("growing-a", "m0", "1");
        awaitDead("growing-a", 1);
        List<Got> got = receiver.got();
        assertThat(got).hasSize(4);
        for (int i = 1; i < 4; i++) {
            long waited = (got.get(i).atNanos() - got.get(i - 1).atNanos()) / 1_000_000;
            assertThat(waited).isGreaterThanOrEqualTo((100L << (i - 1)) - 5);
        }
    }

    @Test
    void a_message_that_is_tried_again_is_taken_in_the_end_and_those_behind_it_wait() {
        receiver.answering(
                got -> Reply.of(got.id().equals("m1") && receiver.got().size() < 6 ? 503 : 200));
        publishAll("patient-a", 0, 4);
        awaitIdle();
        List<String> ids = receiver.ids();
        assertThat(ids.stream().distinct()).containsExactlyElementsOf(names(0, 4));
        assertThat(ids).isSorted();
        assertThat(dead("patient-a").get("count").asInt()).isZero();
    }

    @Test
    void a_message_that_is_given_up_makes_way_for_the_next() {
        receiver.answering(got -> Reply.of(got.id().equals("m1") ? 410 : 200));
        publishAll("quick-a", 0, 4);
        awaitIdle();
        assertThat(receiver.ids()).isEqualTo(names(0, 4));
        JsonNode letter = dead("quick-a").get("letters").get(0);
        assertThat(letter.get("messageID").asString()).isEqualTo("m1");
        assertThat(letter.get("content").asInt()).isEqualTo(1);
        assertThat(letter.get("reason").asString()).isEqualTo("It answered 410.");
        assertThat(letter.get("at").asLong()).isPositive();
        assertThat(secondsLeft("millrace:dead:{quick-a}")).isGreaterThan(7 * 86_400);
    }

    @Test
    void a_try_that_takes_longer_than_its_time_has_failed() {
        CountDownLatch release = new CountDownLatch(1);
        receiver.answering(
                got -> {
                    WebhooksTest.waitFor(release);
                    return Reply.of(200);
                });
        publish("slow-a", "m0", "1");
        awaitDead("slow-a", 1);
        release.countDown();
        JsonNode letter = dead("slow-a").get("letters").get(0);
        assertThat(letter.get("status").asInt()).isZero();
        assertThat(letter.get("reason").asString()).isEqualTo("There was no answer within 200 ms.");
    }

    @Test
    void a_receiver_that_is_not_there_is_told_so() {
        receiver.close();
        publish("none-a", "m0", "1");
        awaitDead("none-a", 1);
        assertThat(dead("none-a").get("letters").get(0).get("reason").asString())
                .isEqualTo("It was not reached.");
    }

    @Test
    void an_answer_without_an_end_is_an_answer() {
        receiver.answering(got -> Reply.endless(got.id().equals("m1") ? 410 : 200));
        publishAll("none-a", 0, 3);
        awaitIdle();
        assertThat(receiver.ids()).isEqualTo(names(0, 3));
        assertThat(dead("none-a").get("count").asInt()).isEqualTo(1);
    }

    // ---------------------------------------------------------------- redirects

    private void redirecting(int status, String location) {
        receiver.answering(
                got ->
                        got.path().equals("/moved")
                                ? Reply.redirect(status, location)
                                : Reply.of(200));
    }

    @Test
    void redirects_are_followed_with_method_and_body_or_as_a_get() {
        for (int status : List.of(307, 308)) {
            redirecting(status, "/there");
            publish("moved-a", "m" + status, "1");
            awaitIdle();
            Got last = receiver.got().getLast();
            assertThat(last.path()).isEqualTo("/there");
            assertThat(last.method()).isEqualTo("PUT");
            assertThat(last.id()).isEqualTo("m" + status);
            assertThat(last.header("Authorization")).isEqualTo("Bearer x");
        }
        for (int status : List.of(301, 302, 303)) {
            redirecting(status, receiver.url() + "/there");
            publish("moved-a", "m" + status, "1");
            awaitIdle();
            Got last = receiver.got().getLast();
            assertThat(last.path()).isEqualTo("/there");
            assertThat(last.method()).isEqualTo("GET");
            assertThat(last.body()).isEmpty();
        }
        assertThat(dead("moved-a").get("count").asInt()).isZero();
    }

    @Test
    void a_redirect_to_another_host_takes_no_headers_of_the_configuration_with_it() {
        try (HookReceiver other = HookReceiver.start()) {
            redirecting(307, other.url() + "/there");
            publish("moved-a", "m0", "1");
            awaitIdle();
            assertThat(other.ids()).containsExactly("m0");
            assertThat(other.got().getFirst().header("Authorization")).isEmpty();
            assertThat(other.got().getFirst().header("Content-type")).isEqualTo("application/json");
        }
    }

    @Test
    void redirects_that_cannot_be_followed_or_are_too_many_have_failed() {
        Map<String, String> reasons =
                Map.of(
                        "m0", "It redirects more than 2 times.",
                        "m1", "It redirects and does not say where.",
                        "m2", "It redirects to something that is not a valid web address.");
        receiver.answering(got -> Reply.redirect(307, "/moved"));
        publish("moved-a", "m0", "1");
        awaitIdle();
        assertThat(receiver.got()).hasSize(3);
        receiver.answering(307);
        publish("moved-a", "m1", "1");
        awaitIdle();
        receiver.answering(got -> Reply.redirect(307, "ftp://example.com/"));
        publish("moved-a", "m2", "1");
        awaitDead("moved-a", 3);
        for (JsonNode letter : dead("moved-a").get("letters")) {
            assertThat(letter.get("reason").asString())
                    .isEqualTo(reasons.get(letter.get("messageID").asString()));
        }
    }

    // ---------------------------------------------------------------- dead letters

    @Test
    void dead_letters_are_sent_once_more_in_order_when_an_admin_says_so() {
        receiver.answering(500);
        publishAll("none-a", 0, 5);
        awaitDead("none-a", 5);
        receiver.answering(got -> Reply.of(got.id().equals("m2") ? 403 : 200));
        int before = receiver.got().size();
        assertThat(admin("POST", "/dead/replay", "none-a").json().get("replaying").asInt())
                .isEqualTo(5);
        awaitDead("none-a", 1);
        assertThat(receiver.ids().subList(before, receiver.ids().size())).isEqualTo(names(0, 5));
        JsonNode letter = dead("none-a").get("letters").get(0);
        assertThat(letter.get("messageID").asString()).isEqualTo("m2");
        assertThat(letter.get("tries").asInt()).isEqualTo(2);
        assertThat(letter.get("status").asInt()).isEqualTo(403);
        receiver.answering(200);
        admin("POST", "/dead/replay", "none-a");
        awaitDead("none-a", 0);
        assertThat(redis("EXISTS", "millrace:dead:{none-a}")).isEqualTo(0L);
        assertThat(redis("EXISTS", "millrace:dead-bytes:{none-a}")).isEqualTo(0L);
    }

    @Test
    void a_replay_to_a_receiver_that_is_still_away_tries_it_once_and_keeps_the_order() {
        receiver.answering(500);
        publishAll("none-a", 0, 4);
        awaitDead("none-a", 4);
        int before = receiver.got().size();
        admin("POST", "/dead/replay", "none-a");
        awaitIdle();
        assertThat(receiver.got()).hasSize(before + 1);
        List<String> kept = new ArrayList<>();
        dead("none-a").get("letters").forEach(each -> kept.add(each.get("messageID").asString()));
        assertThat(kept).isEqualTo(names(0, 4));
    }

    @Test
    void dead_letters_can_be_listed_in_part_and_removed() {
        receiver.answering(500);
        publishAll("none-a", 0, 5);
        awaitDead("none-a", 5);
        JsonNode some = admin("GET", "/dead?limit=2", "none-a").json();
        assertThat(some.get("count").asInt()).isEqualTo(5);
        assertThat(some.get("letters").size()).isEqualTo(2);
        assertThat(some.get("bytes").asLong())
                .isEqualTo(
                        ((List<?>) redis("LRANGE", "millrace:dead:{none-a}", "0", "-1"))
                                .stream().mapToLong(each -> each.toString().length()).sum());
        assertThat(admin("DELETE", "/dead", "none-a").json().get("removed").asInt()).isEqualTo(5);
        assertThat(dead("none-a").get("count").asInt()).isZero();
    }

    @Test
    void only_admins_see_dead_letters() {
        for (String method : List.of("GET", "DELETE")) {
            assertThat(hub.send(method, "/admin/channel/none-a/dead", "").status()).isEqualTo(403);
        }
        assertThat(hub.send("POST", "/admin/channel/none-a/dead/replay", "").status())
                .isEqualTo(403);
        assertThat(
                        hub.send(
                                        "GET",
                                        "/admin/channel/none-a/dead?limit=0",
                                        "",
                                        Optional.of(TOKEN))
                                .status())
                .isEqualTo(400);
    }

    @Test
    void old_dead_letters_make_way_for_new_ones() {
        receiver.answering(500);
        String[] push = new String[2 + DeadLetters.MOST];
        push[0] = "RPUSH";
        push[1] = "millrace:dead:{none-a}";
        for (int i = 2; i < push.length; i++) {
            push[i] = "old" + i;
        }
        redis(push);
        redis("SET", "millrace:dead-bytes:{none-a}", "7000");
        publish("none-a", "m0", "1");
        awaitIdle();
        assertThat(redis("LLEN", "millrace:dead:{none-a}")).isEqualTo((long) DeadLetters.MOST);
        assertThat(redis("LINDEX", "millrace:dead:{none-a}", "0")).isEqualTo("old3");
        assertThat(secondsLeft("millrace:dead:{none-a}")).isPositive();
    }

    @Test
    void the_wait_is_never_negative_and_never_further_off_than_the_jitter() {
        Webhook.Retry wild =
                new Webhook.Retry(3, Duration.ofMillis(10), 2, Duration.ofSeconds(1), false);
        for (int i = 0; i < 1000; i++) {
            assertThat(wild.backOff().after(1).toMillis()).isBetween(0L, 1020L);
        }
        Webhook.Retry huge =
                new Webhook.Retry(1000, Duration.ofDays(1), 1000, Duration.ZERO, false);
        assertThat(huge.backOff().after(899)).isPositive();
    }
}
