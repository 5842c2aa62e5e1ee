package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** {@code /api/v1/notification} and {@code /cleanup} as a client sees them, path by path. */
@OnEachSite
final class NotificationsTest extends RoomContract {
    private static final String ID = "117a2504-85b7-43c4-a48d-37bf5d6821cd";
    private static final String PATH = "/api/v1/notification";

    private Reply post(String body) {
        return hub.send("POST", PATH, body);
    }

    private String posted(String slug, String... more) {
        Reply reply = post(Samples.json(slug, "NORMAL", more));
        assertThat(reply.status()).isEqualTo(202);
        return reply.body();
    }

    private List<String> slugs(String path) {
        Reply reply = hub.get(PATH + path);
        assertThat(reply.status()).as(path + " " + reply.body()).isEqualTo(200);
        assertThat(reply.header("content-type")).isEqualTo("application/json");
        assertThat(reply.body()).endsWith("]\n");
        List<String> slugs = new ArrayList<>();
        reply.json().forEach(each -> slugs.add(each.get("slug").asString()));
        return slugs;
    }

    private void refused(int status, String sentence, Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(reply.body()).contains(sentence).endsWith("\n");
    }

    private static void isTrue(int status, Reply reply) {
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body()).isEqualTo("true");
        assertThat(reply.header("content-type")).isEqualTo("application/json");
    }

    @Test
    void a_notification_is_taken_and_its_id_given_as_bare_text() {
        Reply reply = post(Samples.json("a", "CRITICAL"));
        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(reply.body()).hasSize(36);
        Reply read = hub.get(PATH + "/" + reply.body());
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.body()).endsWith("}\n");
        assertThat(read.json().propertyNames())
                .containsExactly(
                        "created",
                        "modified",
                        "id",
                        "slug",
                        "sender",
                        "category",
                        "severity",
                        "content",
                        "status");
        assertThat(read.json().get("status").asString()).isEqualTo("PROCESSED");
        assertThat(hub.get(PATH + "/slug/a").body()).isEqualTo(read.body());
    }

    @Test
    void what_a_client_says_is_kept_and_its_names_may_be_in_any_case() {
        Reply reply =
                post(
                        """
                        {"ID":"%s","Slug":"b","SENDER":"s","category":"SECURITY","severity":"NORMAL",
                         "content":"c","ContentType":"text/html","created":77,"origin":1590508601358048800,
                         "status":"ESCALATED","labels":["x",null],"description":null,"_id":5} trailing\
                        """
                                .formatted(ID));
        assertThat(reply.body()).isEqualTo(ID);
        Reply read = hub.get(PATH + "/" + ID);
        assertThat(read.body())
                .contains("\"created\":77,", "\"origin\":1590508601358048800,")
                .contains("\"contenttype\":\"text/html\"", "\"status\":\"PROCESSED\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "7",
                "{\"slug\":7}",
                "{}",
                "{\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\",\"content\":\"c\"}",
                "{\"slug\":\"x\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\",\"content\":\"c\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"severity\":\"NORMAL\",\"content\":\"c\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"content\":\"c\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"security\",\"severity\":\"NORMAL\",\"content\":\"c\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":1,\"severity\":\"NORMAL\",\"content\":\"c\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":null,\"severity\":\"NORMAL\",\"content\":\"c\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"LOUD\",\"content\":\"c\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\",\"content\":\"c\",\"status\":\"DONE\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\",\"content\":\"c\",\"status\":null}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\",\"content\":\"c\",\"created\":1.5}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\",\"content\":\"c\",\"created\":\"1\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\",\"content\":\"c\",\"labels\":\"hot\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\",\"content\":\"c\",\"id\":\"event\"}",
                "{\"slug\":\"x\",\"sender\":\"s\",\"category\":\"SECURITY\",\"severity\":\"NORMAL\",\"content\":\"c\",\"id\":\"57ba04a1189b95b8afcdafd7\"}"
            })
    void what_is_wrong_is_refused_and_nothing_is_stored(String body) {
        refused(400, "", post(body));
        assertThat(hub.get(PATH + "/slug/x").status()).isEqualTo(404);
        assertThat(hub.get(PATH + "/start/0/0").status()).isEqualTo(404);
    }

    @Test
    void half_a_character_is_replaced() {
        posted("half", "\"description\":\"a\\ud800b\"");
        assertThat(hub.get(PATH + "/slug/half").json().get("description").asString())
                .isEqualTo("a\uFFFDb");
    }

    @Test
    void a_slug_or_an_id_that_is_taken_is_a_conflict() {
        posted("a", "\"id\":\"" + ID + "\"");
        refused(409, "Resource already exists, slug=a", post(Samples.json("a", "NORMAL")));
        refused(
                409,
                "Resource already exists, id=" + ID,
                post(Samples.json("b", "NORMAL", "\"id\":\"" + ID + "\"")));
        assertThat(hub.get(PATH + "/slug/b").status()).isEqualTo(404);
    }

    @Test
    void what_is_not_there_is_not_found() {
        refused(404, "Notification '" + ID + "' not found", hub.get(PATH + "/" + ID));
        refused(404, "Notification 'event' not found", hub.get(PATH + "/event"));
        refused(404, "Notification 'x' not found", hub.get(PATH + "/slug/x"));
        refused(404, "not found", hub.send("DELETE", PATH + "/" + ID, ""));
        refused(404, "not found", hub.send("DELETE", PATH + "/slug/x", ""));
        refused(404, "404 page not found", hub.get(PATH + "/new/many"));
        refused(404, "404 page not found", hub.get("/api/v1/notifications"));
        Reply wrongMethod = hub.send("PUT", PATH, "{}");
        assertThat(wrongMethod.status()).isEqualTo(405);
        assertThat(wrongMethod.body()).isEmpty();
    }

    @Test
    void a_delete_takes_the_transmissions_with_that_slug_along() {
        String id = posted("a");
        for (int i = 0; i < 3; i++) {
            hub.send("POST", "/api/v1/transmission", TransmissionsTest.json("a", "SENT", i, 5));
        }
        hub.send("POST", "/api/v1/transmission", TransmissionsTest.json("b", "SENT", 0, 5));
        isTrue(200, hub.send("DELETE", PATH + "/" + id, ""));
        assertThat(hub.get("/api/v1/transmission/slug/a/0").body()).isEqualTo("[]\n");
        assertThat(hub.get("/api/v1/transmission/slug/b/0").json()).hasSize(1);
        posted("b2");
        isTrue(200, hub.send("DELETE", PATH + "/slug/b2", ""));
        assertThat(hub.get(PATH + "/slug/b2").status()).isEqualTo(404);
    }

    @Test
    void those_of_a_sender_come_by_id_up_to_the_limit() {
        for (String slug : List.of("a", "b", "c")) {
            posted(slug);
        }
        List<String> all = slugs("/sender/boiler/0");
        assertThat(all).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(slugs("/sender/boiler/2")).isEqualTo(all.subList(0, 2));
        refused(404, "Notification not found", hub.get(PATH + "/sender/Boiler/5"));
        refused(413, "50", hub.get(PATH + "/sender/boiler/51"));
        refused(413, "50", hub.get(PATH + "/sender/boiler/99999999999999999999"));
        assertThat(slugs("/sender/boiler/50")).hasSize(3);
    }

    @Test
    void times_are_inclusive_and_the_oldest_come_first() {
        posted("c", "\"created\":3000");
        posted("a", "\"created\":1000");
        posted("b", "\"created\":2000");
        assertThat(slugs("/start/1000/end/2000/10")).containsExactly("a", "b");
        assertThat(slugs("/start/1001/end/3000/10")).containsExactly("b", "c");
        assertThat(slugs("/start/2000/0")).containsExactly("b", "c");
        assertThat(slugs("/start/0/2")).containsExactly("a", "b");
        assertThat(slugs("/end/2000/0")).containsExactly("a", "b");
        refused(404, "Notification not found", hub.get(PATH + "/start/4000/5"));
        refused(404, "Notification not found", hub.get(PATH + "/end/999/5"));
        refused(400, "'now' is not a valid number", hub.get(PATH + "/start/now/5"));
        refused(400, "'now' is not a valid number", hub.get(PATH + "/end/now/5"));
        refused(400, "'x' is not a valid number", hub.get(PATH + "/start/1/end/x/5"));
        refused(413, "50", hub.get(PATH + "/start/1/end/2/51"));
        refused(413, "50", hub.get(PATH + "/start/1/51"));
        refused(413, "50", hub.get(PATH + "/end/1/51"));
    }

    @Test
    void labels_find_each_once_and_no_more_than_the_limit() {
        posted("a", "\"labels\":[\"x\"]");
        posted("b", "\"labels\":[\"x\",\"y\"]");
        posted("c", "\"labels\":[\"y\",\"z w\"]");
        posted("d");
        List<String> all = slugs("/labels/x,y/0");
        assertThat(all).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(slugs("/labels/x,y/2")).isEqualTo(all.subList(0, 2));
        assertThat(slugs("/labels/x/1")).hasSize(1);
        assertThat(slugs("/labels/z%20w/0")).containsExactly("c");
        refused(404, "Notification not found", hub.get(PATH + "/labels/q/5"));
        refused(413, "50", hub.get(PATH + "/labels/x/51"));
    }

    @Test
    void nothing_is_new_for_long() {
        posted("a");
        refused(404, "Notification not found", hub.get(PATH + "/new/5"));
        refused(413, "50", hub.get(PATH + "/new/51"));
    }

    @Test
    void by_age_go_those_that_are_processed_and_long_unchanged() {
        posted("a");
        hub.send("POST", "/api/v1/transmission", TransmissionsTest.json("a", "SENT", 0, 5));
        isTrue(200, hub.send("DELETE", PATH + "/age/86400000", ""));
        assertThat(slugs("/start/0/0")).containsExactly("a");
        isTrue(200, hub.send("DELETE", PATH + "/age/0", ""));
        assertThat(hub.get(PATH + "/slug/a").status()).isEqualTo(404);
        assertThat(hub.get("/api/v1/transmission/slug/a/0").body()).isEqualTo("[]\n");
        isTrue(200, hub.send("DELETE", PATH + "/age/0", ""));
        refused(400, "milliseconds", hub.send("DELETE", PATH + "/age/99999999999999999999", ""));
        refused(404, "404 page not found", hub.send("DELETE", PATH + "/age/-1", ""));
    }

    @Test
    void a_cleanup_takes_what_was_created_long_ago_and_leaves_subscriptions() {
        posted("old", "\"created\":1000");
        posted("young");
        hub.send("POST", "/api/v1/transmission", TransmissionsTest.json("old", "SENT", 0, 5));
        hub.send("POST", "/api/v1/transmission", TransmissionsTest.json("stray", "SENT", 0, 5));
        hub.send("POST", "/api/v1/subscription", "{\"slug\":\"s\"}");
        isTrue(202, hub.send("DELETE", "/api/v1/cleanup/age/86400000", ""));
        assertThat(slugs("/start/0/0")).containsExactly("young");
        assertThat(hub.get("/api/v1/transmission/slug/old/0").body()).isEqualTo("[]\n");
        isTrue(202, hub.send("DELETE", "/api/v1/cleanup", ""));
        assertThat(hub.get(PATH + "/start/0/0").status()).isEqualTo(404);
        assertThat(hub.get("/api/v1/transmission/slug/stray/0").json()).hasSize(1);
        assertThat(hub.get("/api/v1/subscription").json()).hasSize(1);
    }

    @Test
    void a_list_of_many_comes_whole() {
        for (int i = 0; i < 230; i++) {
            posted("n" + i, "\"created\":" + (1000 + i));
        }
        assertThat(slugs("/start/0/0")).hasSize(230).startsWith("n0", "n1").endsWith("n229");
        isTrue(202, hub.send("DELETE", "/api/v1/cleanup", ""));
        assertThat(hub.get(PATH + "/start/0/0").status()).isEqualTo(404);
    }
}
