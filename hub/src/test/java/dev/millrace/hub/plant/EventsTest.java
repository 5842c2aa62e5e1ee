package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.testing.RawConnection;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** What happens is told in lists, to those who listen just now, and page by page. */
class EventsTest {
    private static Plant plant;
    private static Client client;
    private static Somebody somebody;

    @BeforeAll
    static void start() {
        plant = Plant.empty();
        client = plant.client();
        somebody = plant.somebody();
    }

    @AfterAll
    static void stop() {
        plant.close();
    }

    @Test
    void an_event_is_published_to_whoever_listens() {
        try (RawConnection listener = somebody.connect()) {
            listener.send("SUBSCRIBE", "event:channel");
            assertThat(String.valueOf(((List<?>) listener.read()).get(0))).isEqualTo("subscribe");
            client.value(9, 1, "5");
            List<?> message = (List<?>) listener.read();
            assertThat(String.valueOf(message.get(1))).isEqualTo("event:channel");
            assertThat(String.valueOf(message.get(2)))
                    .isEqualTo(somebody.text("event:last:channel"))
                    .contains("\"type\":\"online\"");
        }
    }

    private static JsonNode newest() {
        return somebody.logged("event:queue:audit").getFirst();
    }

    @Test
    void who_changed_what_is_written_down() {
        client.rule("audited", 3, 101, ">", "");
        JsonNode made = newest();
        assertThat(made.path("type").asString()).isEqualTo("alarm_rule");
        assertThat(made.path("action").asString()).isEqualTo("created");
        assertThat(made.path("id").asString()).isEqualTo("audited");
        assertThat(made.path("user").asString()).isNotEmpty();
        assertThat(made.path("before").isNull()).isTrue();
        assertThat(made.path("after").path("threshold").asInt()).isEqualTo(85);
        assertThat(made.path("result").asString()).isEqualTo("done");
        assertThat(made.path("timestamp").asString()).matches("[0-9]{10}");

        client.data("PATCH", "/api/alarm-rules/audited", "{\"threshold\":90}");
        JsonNode changed = newest();
        assertThat(changed.path("before").path("threshold").asInt()).isEqualTo(85);
        assertThat(changed.path("after").path("threshold").asInt()).isEqualTo(90);
        assertThat(changed.path("after").has("operator")).isFalse();
        assertThat(changed.path("seq").asLong()).isEqualTo(made.path("seq").asLong() + 1);

        // What is refused, read, only tried, or a value changes nothing of this kind.
        client.send("POST", "/api/alarm-rules", "{\"id\":\"events\"}");
        client.send("GET", "/api/alarm-rules", "");
        client.send("POST", "/api/alarm-rules/audited/test", "{\"value\":95}");
        client.value(3, 101, "95");
        assertThat(newest()).isEqualTo(changed);

        client.post("/api/alarms/audited/acknowledge", "{\"user\":\"ada\"}");
        assertThat(newest().path("type").asString()).isEqualTo("alarm");
        assertThat(newest().path("before").path("state").asString()).isEqualTo("UNACK");
        assertThat(newest().path("after").path("state").asString()).isEqualTo("ACKED");
        client.data("DELETE", "/api/alarm-rules/audited", "");
        assertThat(newest().path("action").asString()).isEqualTo("deleted");
        client.post("/api/channels", "{\"id\":12,\"name\":\"c\",\"protocol\":\"can\"}");
        assertThat(newest().path("type").asString()).isEqualTo("channel");
    }

    @Test
    void what_is_too_large_for_the_list_is_left_out_of_it() {
        client.rule("large", 3, 102, ">", ",\"notes\":\"" + "x".repeat(5000) + "\"");
        assertThat(newest().path("after").path("left_out").asBoolean()).isTrue();
        assertThat(newest().path("after").path("bytes").asInt()).isGreaterThan(5000);
    }

    @Test
    void pages_of_events_are_those_of_the_whole_list() {
        client.rule("often", 4, 101, ">", "");
        for (int i = 0; i < 20; i++) {
            client.value(4, 101, i % 2 == 0 ? "90" : "20");
        }
        List<JsonNode> all = somebody.events();
        long newest = all.getFirst().path("seq").asLong();
        assertThat(page("limit=5&offset=3")).isEqualTo(all.subList(3, 8));
        assertThat(total("limit=5&offset=3")).isEqualTo(all.size());
        assertThat(page("size=7&page=2")).isEqualTo(all.subList(7, 14));
        assertThat(page("since_seq=" + (newest - 4) + "&limit=2&offset=1"))
                .isEqualTo(List.of(all.get(2), all.get(1)));
        assertThat(total("since_seq=" + (newest - 4))).isEqualTo(4);
        assertThat(page("since_seq=0&limit=100")).isEqualTo(all.reversed());
        assertThat(page("since_seq=" + newest)).isEmpty();
        assertThat(page("since_seq=" + (newest + 100))).isEmpty();
        assertThat(page("offset=10000")).isEmpty();
        // Somebody pushes something else: numbers and places are not the same any more.
        somebody.line("LPUSH alarm:events what");
        assertThat(page("since_seq=" + (newest - 4) + "&limit=100"))
                .isEqualTo(List.of(all.get(3), all.get(2), all.get(1), all.get(0)));
        somebody.line("LPOP alarm:events");
    }

    private static List<JsonNode> page(String query) {
        return Client.items(client.get("/api/alarm-events?" + query));
    }

    private static long total(String query) {
        return client.get("/api/alarm-events?" + query).path("total").asLong();
    }
}
