package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** {@code /api/v1/transmission} as a client sees it, path by path. */
@OnEachSite
final class TransmissionsTest extends RoomContract {
    private static final String ID = "117a2504-85b7-43c4-a48d-37bf5d6821cd";
    private static final String PATH = "/api/v1/transmission";

    static String json(String slug, String status, int resends, long created, String... more) {
        return """
        {"notification":%s,"receiver":"ann","channel":{"type":"REST","url":"http://x/"},\
        "status":"%s","resendcount":%d,"created":%d%s}\
        """
                .formatted(
                        Samples.json(slug, "NORMAL"),
                        status,
                        resends,
                        created,
                        more.length == 0 ? "" : "," + String.join(",", more));
    }

    private String posted(String slug, String status, int resends, long created, String... more) {
        Reply reply = hub.send("POST", PATH, json(slug, status, resends, created, more));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(reply.body()).hasSize(36);
        return reply.body();
    }

    private List<Long> created(String path) {
        Reply reply = hub.get(PATH + path);
        assertThat(reply.status()).as(path + " " + reply.body()).isEqualTo(200);
        assertThat(reply.header("content-type")).isEqualTo("application/json");
        List<Long> times = new ArrayList<>();
        reply.json().forEach(each -> times.add(each.get("created").asLong()));
        return times;
    }

    private static void refused(int status, Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(reply.body()).endsWith("\n");
    }

    @Test
    void one_that_is_brought_along_is_kept_as_it_is() {
        String id =
                posted(
                        "a",
                        "trxescalated",
                        2,
                        77,
                        "\"id\":\"" + ID + "\"",
                        "\"records\":[{\"status\":\"failed\",\"response\":\"r\",\"sent\":5}]");
        assertThat(id).isEqualTo(ID);
        assertThat(hub.get(PATH + "/slug/a/1").body())
                .startsWith("[{\"created\":77,\"modified\":")
                .contains(
                        """
                        "receiver":"ann","channel":{"type":"REST","url":"http://x/"},\
                        "status":"TRXESCALATED","resendcount":2,\
                        "records":[{"status":"FAILED","response":"r","sent":5}]}]
                        """);
        refused(409, hub.send("POST", PATH, json("b", "SENT", 0, 1, "\"id\":\"" + ID + "\"")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"notification\":null}",
                "\"status\":\"LOST\"",
                "\"resendcount\":-1",
                "\"resendcount\":1.5",
                "\"receiver\":\"\"",
                "\"channel\":null",
                "\"channel\":{}",
                "\"channel\":{\"type\":\"EMAIL\",\"mailAddresses\":[\"a\\nb\"]}",
                "\"notification\":{\"slug\":\"a\"}",
                "\"id\":\"5\""
            })
    void what_is_wrong_is_refused(String what) {
        String body = what.isEmpty() || what.startsWith("{") ? what : json("a", "SENT", 0, 1, what);
        refused(400, hub.send("POST", PATH, body));
        assertThat(hub.get(PATH + "/start/0/0").body()).isEqualTo("[]\n");
    }

    @Test
    void those_of_a_slug_come_oldest_first_whatever_was_sent_again() {
        posted("a", "SENT", 0, 3000);
        posted("a", "FAILED", 5, 1000);
        posted("a", "FAILED", 1, 2000);
        posted("b", "SENT", 0, 1500);
        assertThat(created("/slug/a/0")).containsExactly(1000L, 2000L, 3000L);
        assertThat(created("/slug/a/2")).containsExactly(1000L, 2000L);
        assertThat(created("/slug/a/start/1000/end/2000/0")).containsExactly(1000L, 2000L);
        assertThat(created("/slug/a/start/1001/end/9000/1")).containsExactly(2000L);
        assertThat(created("/slug/q/5")).isEmpty();
        assertThat(hub.get(PATH + "/slug/q/5").body()).isEqualTo("[]\n");
        refused(400, hub.get(PATH + "/slug/a/start/x/end/9000/1"));
        refused(400, hub.get(PATH + "/slug/a/start/1/end/x/1"));
        refused(400, hub.get(PATH + "/slug/a/start/1/end/9000/x"));
        refused(413, hub.get(PATH + "/slug/a/51"));
        refused(413, hub.get(PATH + "/slug/a/start/1/end/9000/51"));
    }

    @Test
    void times_are_inclusive_and_the_oldest_come_first() {
        posted("a", "SENT", 0, 3000);
        posted("b", "SENT", 0, 1000);
        posted("c", "SENT", 0, 2000);
        assertThat(created("/start/1000/end/2000/0")).containsExactly(1000L, 2000L);
        assertThat(created("/start/2000/0")).containsExactly(2000L, 3000L);
        assertThat(created("/end/2000/0")).containsExactly(1000L, 2000L);
        assertThat(created("/end/2000/1")).containsExactly(1000L);
        assertThat(hub.get(PATH + "/start/5000/5").body()).isEqualTo("[]\n");
        refused(400, hub.get(PATH + "/start/x/5"));
        refused(400, hub.get(PATH + "/end/x/5"));
        refused(400, hub.get(PATH + "/start/1/end/x/5"));
        refused(413, hub.get(PATH + "/start/1/51"));
        refused(413, hub.get(PATH + "/end/1/51"));
        refused(413, hub.get(PATH + "/start/1/end/2/51"));
    }

    @Test
    void those_of_a_state_come_by_how_often_they_were_sent_again() {
        posted("a", "FAILED", 2, 1);
        posted("b", "FAILED", 0, 2);
        posted("c", "TRXESCALATED", 2, 3);
        posted("d", "SENT", 0, 4);
        assertThat(created("/failed/0")).containsExactly(2L, 1L);
        assertThat(created("/failed/1")).containsExactly(2L);
        assertThat(created("/escalated/5")).containsExactly(3L);
        refused(413, hub.get(PATH + "/failed/51"));
        refused(413, hub.get(PATH + "/escalated/51"));
    }

    @ParameterizedTest
    @CsvSource({
        "sent,SENT",
        "escalated,TRXESCALATED",
        "acknowledged,ACKNOWLEDGED",
        "failed,FAILED"
    })
    void by_age_go_those_of_one_state(String word, String status) {
        List<String> states = List.of("SENT", "TRXESCALATED", "ACKNOWLEDGED", "FAILED");
        for (String each : states) {
            posted("s-" + each, each, 0, 5);
        }
        // They were brought along a moment ago, whenever they were created.
        deleted(word, 86_400_000);
        assertThat(created("/start/0/0")).hasSize(4);
        deleted(word, 0);
        assertThat(created("/start/0/0")).hasSize(3);
        assertThat(hub.get(PATH + "/slug/s-" + status + "/0").body()).isEqualTo("[]\n");
        deleted(word, 0);
        refused(400, hub.send("DELETE", PATH + "/" + word + "/age/99999999999999999999", ""));
    }

    private void deleted(String word, long age) {
        Reply reply = hub.send("DELETE", PATH + "/%s/age/%d".formatted(word, age), "");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("true");
        assertThat(reply.header("content-type")).isEqualTo("application/json");
    }
}
