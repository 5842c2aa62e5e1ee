package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.pubsub.channels.AckHandle;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Publishing, subscribing, fetching and acknowledging, as a client sees them. */
@OnEachSite
final class ChannelsTest extends PubsubContract {

    private static void refused(Reply reply, int status, String code, String text) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header("content-type")).isEqualTo("application/json");
        assertThat(reply.json().has("code")).isEqualTo(!code.isEmpty());
        if (!code.isEmpty()) {
            assertThat(reply.json().get("code").asString()).isEqualTo(code);
        }
        if (!text.isEmpty()) {
            assertThat(reply.json().get("error").asString()).isEqualTo(text);
        }
    }

    private static void refused(Reply reply, int status, String text) {
        refused(reply, status, "", text);
    }

    @Test
    void a_subscriber_gets_what_was_published_after_it_came_until_it_acknowledges() {
        publish("ch", "before", "0");
        subscribe("ch", "s1");
        publish("ch", "m1", "{\"a\":1}");
        publish("ch", "m2", "[2]");
        subscribe("ch", "s2");
        publish("ch", "m3", "\"three\"");
        Reply page = fetch("ch", "s1", "");
        assertThat(page.header("content-type")).isEqualTo("application/json");
        assertThat(page.body())
                .isEqualTo(
                        "{\"channelID\":\"ch\",\"messages\":[{\"messageID\":\"m1\",\"content\":{\"a\":1}},"
                            + "{\"messageID\":\"m2\",\"content\":[2]},{\"messageID\":\"m3\",\"content\":\"three\"}],"
                            + "\"ackHandle\":\""
                                + handle(page)
                                + "\",\"moreMessages\":false}\n");
        assertThat(unread("ch", "s1")).containsExactly("m1", "m2", "m3");
        assertThat(unread("ch", "s2")).containsExactly("m3");
        Reply acknowledged = acknowledge("ch", "s1", handle(page));
        assertThat(acknowledged.status()).isEqualTo(204);
        assertThat(acknowledged.body()).isEmpty();
        Reply empty = fetch("ch", "s1", "");
        assertThat(empty.body())
                .isEqualTo("{\"channelID\":\"ch\",\"messages\":[],\"moreMessages\":false}\n");
        assertThat(unread("ch", "s2")).containsExactly("m3");
    }

    @Test
    void a_second_message_with_the_same_id_is_answered_like_the_first_and_changes_nothing() {
        subscribe("ch", "s");
        publish("ch", "m", "1");
        publish("ch", "m", "2");
        Reply page = fetch("ch", "s", "");
        assertThat(page.body()).contains("\"content\":1}");
        acknowledge("ch", "s", handle(page));
        publish("ch", "m", "3");
        assertThat(unread("ch", "s")).isEmpty();
        assertThat(get("c.{ch}.clock")).isEqualTo("1");
    }

    @Test
    void of_many_that_publish_one_id_at_once_one_wins() throws Exception {
        subscribe("ch", "s");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                String content = Integer.toString(i);
                all.add(threads.submit(() -> publish("ch", "same", content)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        assertThat(unread("ch", "s")).containsExactly("same");
        assertThat(get("c.{ch}.clock")).isEqualTo("1");
    }

    @Test
    void an_older_handle_acknowledges_up_to_its_own_point_and_a_stale_one_nothing() {
        subscribe("ch", "s");
        for (int i = 1; i <= 4; i++) {
            publish("ch", "m" + i, "0");
        }
        String two = handle(fetch("ch", "s", "?max=2"));
        String four = handle(fetch("ch", "s", "?max=4"));
        assertThat(acknowledge("ch", "s", two).status()).isEqualTo(204);
        assertThat(unread("ch", "s")).containsExactly("m3", "m4");
        assertThat(acknowledge("ch", "s", four).status()).isEqualTo(204);
        assertThat(acknowledge("ch", "s", two).status()).isEqualTo(204);
        assertThat(unread("ch", "s")).isEmpty();
    }

    @Test
    void pages_are_as_large_as_wanted_and_say_whether_there_is_more() {
        subscribe("ch", "s");
        for (int i = 1; i <= 70; i++) {
            publish("ch", "m" + i, "0");
        }
        Reply usual = fetch("ch", "s", "");
        assertThat(ids(usual)).hasSize(64).startsWith("m1").endsWith("m64");
        assertThat(usual.json().get("moreMessages").asBoolean()).isTrue();
        acknowledge("ch", "s", handle(usual));
        Reply rest = fetch("ch", "s", "?max=6");
        assertThat(ids(rest)).hasSize(6);
        assertThat(rest.json().get("moreMessages").asBoolean()).isFalse();
        assertThat(ids(fetch("ch", "s", "?max=9223372036854775807"))).hasSize(6);
        assertThat(ids(fetch("ch", "s", "?max=%2B2&max=3&_=17&what=ever"))).hasSize(2);
    }

    @Test
    void a_subscriber_is_kept_when_it_is_made_again_and_begins_anew_when_it_was_deleted() {
        subscribe("ch", "s");
        publish("ch", "m", "0");
        subscribe("ch", "s");
        assertThat(unread("ch", "s")).containsExactly("m");
        for (int i = 0; i < 2; i++) {
            Reply deleted = hub.send("DELETE", polling("ch", "s"), "");
            assertThat(deleted.status()).isEqualTo(200);
            assertThat(deleted.body()).isEqualTo("{\"channelID\":\"ch\",\"subscriberID\":\"s\"}\n");
        }
        refused(fetch("ch", "s", ""), 404, "dsps.storage.subscription-not-found", "");
        refused(fetch("ch", "s", "?timeout=20s"), 404, "dsps.storage.subscription-not-found", "");
        subscribe("ch", "s");
        assertThat(unread("ch", "s")).isEmpty();
    }

    @Test
    void the_outcomes_of_an_acknowledgement() {
        subscribe("ch", "s");
        subscribe("ch", "other");
        publish("ch", "m", "0");
        String handle = handle(fetch("ch", "s", ""));
        refused(
                hub.send("DELETE", polling("ch", "s") + "/message", ""),
                400,
                "Missing \"ackHandle\" parameter");
        refused(acknowledge("ch", "s", ""), 400, "Missing \"ackHandle\" parameter");
        refused(acknowledge("ch", "s", "nonsense!"), 400, "dsps.storage.ack-handle-malformed", "");
        refused(acknowledge("ch", "s", "e30="), 400, "dsps.storage.ack-handle-malformed", "");
        refused(acknowledge("ch", "other", handle), 400, "dsps.storage.ack-handle-malformed", "");
        refused(acknowledge("ch2", "s", handle), 400, "dsps.storage.ack-handle-malformed", "");
        assertThat(acknowledge("ch", "s", AckHandle.of("elsewhere", "ch", "s", 1)).status())
                .isEqualTo(204);
        assertThat(acknowledge("ch", "s", AckHandle.of("redis1", "ch", "s", 2)).status())
                .isEqualTo(204);
        assertThat(unread("ch", "s")).containsExactly("m");
        String nobody = AckHandle.of("redis1", "ch", "nobody", 1);
        refused(
                acknowledge("ch", "nobody", nobody),
                404,
                "dsps.storage.subscription-not-found",
                "");
        String nowhere = AckHandle.of("redis1", "nowhere", "s", 1);
        refused(
                acknowledge("nowhere", "s", nowhere),
                404,
                "dsps.storage.subscription-not-found",
                "");
        assertThat(acknowledge("ch", "s", handle).status()).isEqualTo(204);
        assertThat(unread("ch", "s")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "12345678901234567890",
                "1.0",
                "1E5",
                "null",
                "true",
                "\"\"",
                "\"\\ud800\"",
                "{\"b\":1,\"a\":2,\"b\":3}",
                "[[[[]]]]",
                "\"ä€😀\""
            })
    void content_comes_back_as_it_was_sent(String content) {
        subscribe("ch", "s");
        publish("ch", "m", " " + content + "\n");
        assertThat(fetch("ch", "s", "").body()).contains("\"content\":" + content + "}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "{}{}", "\ufeff1", "NaN", "'a'", "// x", "[1,]", "01", "\"\t\""})
    void what_is_no_json_is_refused_and_nothing_is_stored(String content) {
        refused(hub.send("PUT", message("ch", "m"), content), 400, "Request body is not JSON");
        assertThat(get("c.{ch}.clock")).isNull();
    }

    @Test
    void bytes_that_are_no_text_and_what_is_too_deep_or_too_large_are_refused() {
        byte[] bytes = {'"', (byte) 0xFF, '"'};
        refused(
                hub.send("PUT", message("ch", "m"), "text/plain", bytes),
                400,
                "Request body is not JSON");
        String deep = "[".repeat(10_000) + "]".repeat(10_000);
        refused(hub.send("PUT", message("ch", "m"), deep), 400, "Request body is not JSON");
        byte[] large = ("\"" + "x".repeat(10 << 20) + "\"").getBytes(StandardCharsets.UTF_8);
        Reply reply = hub.send("PUT", message("ch", "m"), "application/json", large);
        refused(reply, 413, "", "");
        assertThat(get("c.{ch}.clock")).isNull();
        publish("ch", "m", "[".repeat(1000) + "]".repeat(1000));
        publish("ch", "m2", "\"" + "x".repeat((1 << 20) - 2) + "\"");
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /channel/C/message/m, channelID",
        "PUT, /channel/-c/message/m, channelID",
        "PUT, /channel/c.d/message/m, channelID",
        "PUT, /channel/c%20d/message/m, channelID",
        "PUT, /channel/c%0A/message/m, channelID",
        "PUT, /channel/%C3%A4/message/m, channelID",
        "PUT, /channel//message/m, channelID",
        "PUT, /channel/c/message/M, messageID",
        "PUT, /channel/c/message/m:1, messageID",
        "PUT, /channel/c/message/, messageID",
        "PUT, /channel/c/subscription/polling/_s, subscriberID",
        "DELETE, /channel/c/subscription/polling/S, subscriberID",
        "GET, /channel/c/subscription/polling/s!, subscriberID",
        "DELETE, /channel/c/subscription/polling/S/message?ackHandle=x, subscriberID",
        "GET, /channel/C/subscription/polling/S?max=0, channelID",
        "GET, /channel/c/subscription/polling/s?timeout=, timeout",
        "GET, /channel/c/subscription/polling/s?timeout=10, timeout",
        "GET, /channel/c/subscription/polling/s?timeout=x, timeout",
        "GET, /channel/c/subscription/polling/s?max=, max",
        "GET, /channel/c/subscription/polling/s?max=0, max",
        "GET, /channel/c/subscription/polling/s?max=-1, max",
        "GET, /channel/c/subscription/polling/s?max=1.5, max",
        "GET, /channel/c/subscription/polling/s?max=9223372036854775808, max",
        "PUT, /channel/c/subscription/polling/s?from=then, from",
        "PUT, /channel/c/subscription/polling/s?from=clock:x, from"
    })
    void what_is_not_valid_is_named(String method, String path, String name) {
        refused(hub.send(method, path, "x"), 400, "Invalid \"" + name + "\" parameter");
    }

    @Test
    void ids_have_63_letters_at_most() {
        String longest = "a".repeat(63);
        subscribe(longest, longest);
        publish(longest, longest, "1");
        assertThat(unread(longest, longest)).containsExactly(longest);
        refused(
                hub.send("PUT", message("a".repeat(64), "m"), "1"),
                400,
                "Invalid \"channelID\" parameter");
        refused(
                hub.send("PUT", message("c", "a".repeat(64)), "1"),
                400,
                "Invalid \"messageID\" parameter");
        refused(
                hub.send("PUT", polling("c", "a".repeat(64)), ""),
                400,
                "Invalid \"subscriberID\" parameter");
    }

    @Test
    void the_content_type_is_not_looked_at() {
        subscribe("ch", "s");
        byte[] body = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        String form = "application/x-www-form-urlencoded";
        assertThat(hub.send("PUT", message("ch", "m"), form, body).status()).isEqualTo(200);
        assertThat(unread("ch", "s")).containsExactly("m");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /channel, 404",
        "GET, /channel/c, 404",
        "PUT, /channel/c/message/m/, 404",
        "PUT, /channel/c%2Fd/message/m, 404",
        "PUT, /channel/c/subscription/other/s, 404",
        "GET, /channel/c/message/m, 405",
        "HEAD, /channel/c/subscription/polling/s, 405",
        "OPTIONS, /channel/c/message/m, 405",
        "POST, /channel/c/subscription/polling/s, 405"
    })
    void unknown_paths_and_methods_are_told_so_in_plain_text(
            String method, String path, int status) {
        Reply reply = hub.send(method, path, "");
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.header("content-type")).startsWith("text/plain");
        if (status == 404) {
            assertThat(reply.body().strip()).isEqualTo("404 page not found");
        } else {
            assertThat(reply.header("allow")).isNotEmpty();
        }
        assertThat(reply.headers()).doesNotContainKey("pragma");
    }

    @Test
    void a_subscriber_may_begin_with_what_still_lives() {
        for (int i = 1; i <= 5; i++) {
            publish("ch", "m" + i, "0");
        }
        hub.send("PUT", polling("ch", "all") + "?from=earliest", "");
        assertThat(unread("ch", "all")).containsExactly("m1", "m2", "m3", "m4", "m5");
        hub.send("PUT", polling("ch", "some") + "?from=message:m4", "");
        assertThat(unread("ch", "some")).containsExactly("m4", "m5");
        hub.send("PUT", polling("ch", "clock") + "?from=clock:5", "");
        assertThat(unread("ch", "clock")).containsExactly("m5");
        hub.send("PUT", polling("ch", "new") + "?from=latest", "");
        assertThat(unread("ch", "new")).isEmpty();
        refused(hub.send("PUT", polling("ch", "late") + "?from=message:m9", ""), 410, "", "");
        refused(hub.send("PUT", polling("ch", "late") + "?from=clock:6", ""), 410, "", "");
        assertThat(get("c.{ch}.r.late")).isNull();
        redis("DEL", "c.{ch}.m.1");
        redis("DEL", "c.{ch}.m.2");
        hub.send("PUT", polling("ch", "rest") + "?from=earliest", "");
        assertThat(unread("ch", "rest")).containsExactly("m3", "m4", "m5");
    }

    @Test
    void a_subscriber_may_read_again_what_still_lives() {
        subscribe("ch", "s");
        for (int i = 1; i <= 3; i++) {
            publish("ch", "m" + i, "0");
        }
        acknowledge("ch", "s", handle(fetch("ch", "s", "")));
        hub.send("PUT", polling("ch", "s") + "?from=earliest", "");
        assertThat(unread("ch", "s")).isEmpty();
        assertThat(hub.send("PUT", polling("ch", "s") + "/cursor?from=message:m2", "").status())
                .isEqualTo(200);
        assertThat(unread("ch", "s")).containsExactly("m2", "m3");
    }
}
