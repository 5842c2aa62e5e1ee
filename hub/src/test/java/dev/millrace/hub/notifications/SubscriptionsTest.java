package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.notifications.kept.NotificationsLayouts;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** {@code /api/v1/subscription} as a client sees it, path by path. */
@OnEachSite
final class SubscriptionsTest extends RoomContract {
    private static final String ID = "117a2504-85b7-43c4-a48d-37bf5d6821cd";
    private static final String PATH = "/api/v1/subscription";

    private void made(String slug, String... more) {
        Reply reply =
                hub.send(
                        "POST",
                        PATH,
                        "{\"slug\":\"%s\",\"receiver\":\"ann\"%s}"
                                .formatted(
                                        slug,
                                        more.length == 0 ? "" : "," + String.join(",", more)));
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.body()).isEqualTo(slug);
        assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    }

    private List<String> slugs(String path) {
        Reply reply = hub.get(PATH + path);
        assertThat(reply.status()).as(path + " " + reply.body()).isEqualTo(200);
        List<String> slugs = new ArrayList<>();
        reply.json().forEach(each -> slugs.add(each.get("slug").asString()));
        return slugs;
    }

    private static void refused(int status, String sentence, Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(reply.body()).contains(sentence).endsWith("\n");
    }

    @Test
    void a_subscription_is_made_read_and_deleted() {
        assertThat(hub.get(PATH).body()).isEqualTo("[]\n");
        made("a", "\"id\":\"" + ID + "\"", "\"created\":77");
        made("b");
        assertThat(slugs("")).containsExactlyInAnyOrder("a", "b");
        Reply read = hub.get(PATH + "/" + ID);
        assertThat(read.body())
                .startsWith("{\"created\":77,")
                .contains("\"id\":\"" + ID + "\",\"slug\":\"a\",\"receiver\":\"ann\"}\n");
        assertThat(hub.get(PATH + "/slug/a").body()).isEqualTo(read.body());
        Reply gone = hub.send("DELETE", PATH + "/" + ID, "");
        assertThat(gone.status()).isEqualTo(200);
        assertThat(gone.body()).isEmpty();
        assertThat(gone.header("content-type")).isEqualTo("application/json");
        Reply second = hub.send("DELETE", PATH + "/slug/b", "");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo("true");
        assertThat(hub.get(PATH).body()).isEqualTo("[]\n");
    }

    @Test
    void what_is_not_there_is_not_found() {
        refused(404, "Subscription '" + ID + "' not found", hub.get(PATH + "/" + ID));
        refused(404, "Subscription 'x' not found", hub.get(PATH + "/slug/x"));
        refused(404, "not found", hub.send("DELETE", PATH + "/" + ID, ""));
        refused(404, "not found", hub.send("DELETE", PATH + "/slug/x", ""));
        refused(404, "Subscription not found", hub.send("PUT", PATH, "{\"slug\":\"x\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "{\"slug\":7}",
                "{\"slug\":\"x\",\"id\":\"event\"}",
                "{\"slug\":\"x\",\"subscribedCategories\":[\"LOUD\"]}",
                "{\"slug\":\"x\",\"subscribedCategories\":[null]}",
                "{\"slug\":\"x\",\"subscribedCategories\":\"SECURITY\"}",
                "{\"slug\":\"x\",\"channels\":[{\"type\":\"rest\"}]}",
                "{\"slug\":\"x\",\"channels\":[{\"type\":\"MQTT\"}]}",
                "{\"slug\":\"x\",\"channels\":[{\"type\":null}]}",
                "{\"slug\":\"x\",\"channels\":[{\"type\":\"EMAIL\",\"mailAddresses\":[\"a@x\\r"
                        + "\\n"
                        + "Bcc: b@x\"]}]}",
                "{\"slug\":\"x\",\"channels\":[{\"type\":\"EMAIL\",\"mailAddresses\":[\"a@x\\n"
                        + "\"]}]}"
            })
    void what_is_wrong_is_refused_by_both_verbs(String body) {
        refused(400, "", hub.send("POST", PATH, body));
        refused(400, "", hub.send("PUT", PATH, body));
        assertThat(hub.get(PATH).body()).isEqualTo("[]\n");
    }

    @Test
    void a_slug_or_an_id_that_is_taken_is_a_conflict() {
        made("a", "\"id\":\"" + ID + "\"");
        refused(409, "slug=a", hub.send("POST", PATH, "{\"slug\":\"a\"}"));
        refused(
                409,
                "id=" + ID,
                hub.send("POST", PATH, "{\"slug\":\"b\",\"id\":\"%s\"}".formatted(ID)));
    }

    @Test
    void a_put_replaces_all_but_id_and_creation() {
        made("a", "\"id\":\"" + ID + "\"", "\"created\":77", "\"subscribedLabels\":[\"x\"]");
        Reply put = hub.send("PUT", PATH, "{\"slug\":\"a\",\"receiver\":\"ben\",\"created\":5}");
        assertThat(put.status()).isEqualTo(200);
        assertThat(put.body()).isEqualTo("true");
        assertThat(hub.get(PATH + "/slug/a").body())
                .startsWith("{\"created\":77,")
                .contains("\"id\":\"" + ID + "\"", "\"receiver\":\"ben\"")
                .doesNotContain("subscribedLabels");
        assertThat(slugs("/labels/x")).isEmpty();
        assertThat(slugs("/receiver/ben")).containsExactly("a");
        assertThat(hub.get(PATH + "/receiver/ann").body()).isEqualTo("[]\n");
    }

    @Test
    void they_are_found_by_categories_or_labels() {
        made("a", "\"subscribedCategories\":[\"SECURITY\",\"HW_HEALTH\"]");
        made("b", "\"subscribedCategories\":[\"SW_HEALTH\"]", "\"subscribedLabels\":[\"x\"]");
        made("c", "\"subscribedLabels\":[\"x\",\"y\"]");
        assertThat(slugs("/categories/SECURITY,HW_HEALTH")).containsExactly("a");
        assertThat(slugs("/categories/SECURITY,SW_HEALTH")).containsExactlyInAnyOrder("a", "b");
        refused(404, "Subscription not found", hub.get(PATH + "/categories/NONE"));
        refused(404, "Subscription not found", hub.get(PATH + "/categories/none"));
        assertThat(slugs("/labels/x,y")).containsExactlyInAnyOrder("b", "c");
        assertThat(hub.get(PATH + "/labels/q").body()).isEqualTo("[]\n");
        assertThat(slugs("/categories/SECURITY/labels/y")).containsExactlyInAnyOrder("a", "c");
        assertThat(hub.get(PATH + "/categories/NONE/labels/q").body()).isEqualTo("[]\n");
        assertThat(slugs("/receiver/ann")).hasSize(3).isSortedAccordingTo(byId());
    }

    private java.util.Comparator<String> byId() {
        return java.util.Comparator.comparing(
                slug -> hub.get(PATH + "/slug/" + slug).json().get("id").asString());
    }

    @Test
    void a_secret_is_never_shown_and_stays_when_what_is_shown_comes_back() {
        made(
                "a",
                "\"channels\":[{\"type\":\"REST\",\"url\":\"http://127.0.0.1:1/\",\"secret\":\"geheim\"}]");
        Reply shown = hub.get(PATH + "/slug/a");
        assertThat(shown.body()).contains("\"secret\":\"***\"").doesNotContain("geheim");
        assertThat(hub.get(PATH).body()).doesNotContain("geheim");
        hub.send("PUT", PATH, shown.body());
        assertThat(stored()).contains("geheim");
        hub.send(
                "PUT",
                PATH,
                "{\"slug\":\"a\",\"channels\":[{\"type\":\"REST\",\"url\":\"http://127.0.0.1:1/\"}]}");
        assertThat(stored()).isEmpty();
    }

    /** The secret as it lies in Redis. */
    private String stored() {
        return hub.keyspace()
                .store(NotificationsLayouts.SUBSCRIPTIONS)
                .find("subscription:slug", "a")
                .orElseThrow()
                .value()
                .channels()
                .getFirst()
                .secret();
    }
}
