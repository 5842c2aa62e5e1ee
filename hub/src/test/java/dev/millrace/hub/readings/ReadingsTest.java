package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** {@code /api/v1/reading}, as a client of EdgeX sees it. */
@OnEachSite
final class ReadingsTest extends RoomContract {

    private static String reading(String device, String name, long created) {
        return "{\"device\":\"%s\",\"name\":\"%s\",\"value\":\"1\",\"created\":%d}"
                .formatted(device, name, created);
    }

    private List<String> readingsOf(String event) {
        List<String> ids = new ArrayList<>();
        JsonNode readings = get("event/" + event).json().get("readings");
        if (readings != null) {
            readings.forEach(each -> ids.add(each.get("id").asString()));
        }
        return ids;
    }

    @Test
    void a_reading_comes_back_as_it_was_sent() {
        Reply reply =
                hub.send(
                        "POST",
                        "/api/v1/reading",
                        """
                        {"NAME":"power","value":"7","valueType":"uint8","origin":3,"created":9}
                        """);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        String id = reply.body();
        assertThat(id).hasSize(36);
        assertThat(get("reading/" + id).body())
                .isEqualTo(
                        "{\"id\":\"%s\",\"created\":9,\"origin\":3,\"name\":\"power\",\"value\":\"7\",\"valueType\":\"Uint8\"}\n"
                                .formatted(id));
    }

    @Test
    void in_a_list_each_reading_looks_as_it_does_alone_whoever_has_written_it() {
        List<String> odd =
                List.of(
                        "{\"id\":\"%s\",\"created\":5,\"device\":\"pump\",\"name\":\"a\",\"value\":\"1\"}",
                        "{\"Device\":\"pump\",\"Value\":\"\",\"ID\":\"%s\",\"Created\":5,\"Name\":\"a\"}",
                        "{ \"id\":\"%s\",\"created\":5,\"pushed\":0,\"device\":\"pump\",\"name\":\"a\"}",
                        "{\"id\":\"%s\",\"created\":5,\"device\":\"pump\",\"name\":\"a\",\"value\":\"\\u003c\"}",
                        "{\"id\":\"%s\",\"created\":5,\"device\":\"pump\",\"name\":\"a\",\"value\":\"°\"}",
                        "{\"id\":\"%s\",\"created\":5,\"device\":\"pump\",\"name\":\"a\",\"x\":{\"y\":1}}");
        List<String> expected = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (String each : odd) {
            String id = postReading(reading("pump", "a", 5));
            String key =
                    site.allKeys().stream()
                            .filter(all -> all.equals(id) || all.endsWith("}" + id))
                            .findFirst()
                            .orElseThrow();
            site.command(key, "SET", key, each.formatted(id));
            ids.add(id);
        }
        ids.sort(Comparator.reverseOrder());
        ids.forEach(id -> expected.add(get("reading/" + id).body().strip()));
        for (int i = 0; i < 3; i++) {
            assertThat(get("reading/device/pump/50").body())
                    .isEqualTo("[" + String.join(",", expected) + "]\n");
        }
        assertThat(get("reading/device/nobody/50").body()).isEqualTo("[]\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "{}",
                "{\"name\":\"a\"}",
                "{\"value\":\"1\"}",
                "{\"name\":\"a\",\"value\":1}",
                "{\"name\":\"a\",\"value\":\"1\",\"id\":\"reading\"}",
                "{\"name\":\"a\",\"value\":\"1\",\"valueType\":\"Float64\"}",
                "{\"name\":\"a\",\"value\":\"1\",\"binaryValue\":\"AAEC\"}"
            })
    void a_body_that_is_no_reading_is_refused_and_nothing_is_stored(String body) {
        expect(400, "POST", "reading", body);
        nothingIsStored();
    }

    @Test
    void a_large_body_is_refused() {
        expect(
                413,
                "POST",
                "reading",
                "{\"name\":\"a\",\"value\":\"%s\"}".formatted("x".repeat(10 << 20)));
        nothingIsStored();
    }

    @Test
    void an_id_is_taken_once() {
        String id = UUID.randomUUID().toString();
        String body = "{\"id\":\"%s\",\"name\":\"a\",\"value\":\"1\"}".formatted(id);
        assertThat(postReading(body)).isEqualTo(id);
        expect(409, "POST", "reading", body);
        expect(409, "POST", "event", "{\"id\":\"%s\",\"device\":\"pump\"}".formatted(id));
    }

    @Test
    void the_newest_come_first_in_every_question() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            all.addFirst(postReading(reading("device" + i % 3, "name" + i % 2, 1000 + i)));
        }
        assertThat(ids("reading")).isEqualTo(all.stream().sorted().toList());
        assertThat(get("reading/count").body()).isEqualTo("24");
        assertThat(ids("reading/1005/1010/50")).isEqualTo(all.subList(13, 19));
        assertThat(ids("reading/1005/1010/2")).isEqualTo(all.subList(13, 15));
        assertThat(ids("reading/device/device0/50")).isEqualTo(every(all, 3, 0));
        assertThat(ids("reading/device/device0/2")).isEqualTo(every(all, 3, 0).subList(0, 2));
        assertThat(ids("reading/name/name1/50")).isEqualTo(every(all, 2, 1));
        assertThat(ids("reading/name/name1/device/device0/50")).isEqualTo(every(all, 6, 3));
        assertThat(ids("reading/name/name1/device/device0/1"))
                .isEqualTo(every(all, 6, 3).subList(0, 1));
        assertThat(ids("reading/name/nobody/device/device0/5")).isEmpty();
        assertThat(ids("reading/name/name1/device/nobody/5")).isEmpty();
        assertThat(ids("reading/name/name1/device/device0/0")).isEmpty();
        assertThat(ids("reading/device/device0/0")).isEmpty();
        assertThat(ids("reading/name/name1/0")).isEmpty();
        assertThat(ids("reading/0/9999/0")).isEmpty();
    }

    /** Those whose number has this rest; the list has the last number first. */
    private static List<String> every(List<String> all, int step, int rest) {
        List<String> some = new ArrayList<>();
        for (int i = all.size() - 1; i >= 0; i--) {
            if (i % step == rest) {
                some.add(all.get(all.size() - 1 - i));
            }
        }
        return some;
    }

    @Test
    void equal_times_are_ordered_by_id_backwards() {
        List<String> same = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            same.add(postReading(reading("pump", "power", 1000)));
        }
        same.sort(Comparator.reverseOrder());
        assertThat(ids("reading/device/pump/9")).isEqualTo(same);
        assertThat(ids("reading/name/power/9")).isEqualTo(same);
        assertThat(ids("reading/name/power/device/pump/9")).isEqualTo(same);
        assertThat(ids("reading/1000/1000/9")).isEqualTo(same);
    }

    @Test
    void limits_are_looked_at_before_anything_else() {
        for (String path :
                List.of(
                        "reading/device/pump/",
                        "reading/name/power/",
                        "reading/name/power/device/pump/",
                        "reading/1/2/")) {
            expect(413, "GET", path + "51", "");
            expect(200, "GET", path + "50", "");
            expect(400, "GET", path + "99999999999999999999", "");
            expect(404, "GET", path + "-1", "");
        }
        for (int i = 0; i < 51; i++) {
            postReading(reading("pump", "power", i + 1));
        }
        expect(413, "GET", "reading", "");
        delete("event/device/pump");
        expect(200, "GET", "reading", "");
    }

    @Test
    void what_is_unknown_is_not_found() {
        String event = post(event("pump", 1000, "a"));
        for (String id : List.of(event, UUID.randomUUID().toString(), "x", "reading")) {
            expect(404, "GET", "reading/" + id, "");
            expect(404, "DELETE", "reading/id/" + id, "");
            expect(
                    404,
                    "PUT",
                    "reading",
                    "{\"id\":\"%s\",\"name\":\"a\",\"value\":\"1\"}".formatted(id));
        }
        expect(404, "PUT", "reading", "{\"name\":\"a\",\"value\":\"1\"}");
        expect(400, "PUT", "reading", "{\"id\":\"%s\"}".formatted(event));
    }

    @Test
    void a_deleted_reading_leaves_its_event() {
        String event = post(event("pump", 1000, "a", "b", "c"));
        post(event("pump", 1000, "a"));
        List<String> readings = readingsOf(event);
        assertThat(delete("reading/id/" + readings.get(1)).body()).isEqualTo("true");
        assertThat(readingsOf(event)).containsExactly(readings.get(0), readings.get(2));
        delete("reading/id/" + readings.get(0));
        delete("reading/id/" + readings.get(2));
        assertThat(readingsOf(event)).isEmpty();
        assertThat(get("event/" + event).json().has("readings")).isFalse();
    }

    @Test
    void a_changed_reading_stays_where_it_is_unless_it_is_given_to_another_device() {
        String event = post(event("pump", 1000, "a", "b", "c"));
        List<String> readings = readingsOf(event);
        String body = "{\"id\":\"%s\",\"name\":\"a\",\"value\":\"2\"%s}";
        assertThat(put("reading", body.formatted(readings.get(0), "")).body()).isEqualTo("true");
        JsonNode changed = get("reading/" + readings.get(0)).json();
        assertThat(changed.get("value").asString()).isEqualTo("2");
        assertThat(changed.get("modified").asLong()).isPositive();
        assertThat(changed.get("created").asLong()).isEqualTo(1000);
        put("reading", body.formatted(readings.get(1), ",\"created\":5"));
        assertThat(readingsOf(event)).isEqualTo(readings);
        assertThat(ids("reading/5/5/9")).containsExactly(readings.get(1));
        for (int i = 0; i < 3; i++) {
            put("reading", body.formatted(readings.get(2), ",\"device\":\"fan%d\"".formatted(i)));
            assertThat(readingsOf(event)).containsExactly(readings.get(0), readings.get(1));
            assertThat(ids("reading/device/fan" + i + "/9")).containsExactly(readings.get(2));
        }
        delete("reading/id/" + readings.get(1));
        assertThat(readingsOf(event)).containsExactly(readings.get(0));
        delete("event/id/" + event);
        delete("reading/id/" + readings.get(2));
        nothingIsStored();
    }

    @Test
    void a_reading_of_another_time_is_still_of_its_event() {
        String body = "{\"id\":\"%s\",\"name\":\"a\",\"value\":\"2\"%s}";
        String event = post(event("pump", 1000, "a", "b"));
        List<String> readings = readingsOf(event);
        put("reading", body.formatted(readings.get(0), ",\"created\":5"));
        put("reading", body.formatted(readings.get(0), ",\"created\":7"));
        put("reading", body.formatted(readings.get(0), ",\"created\":1000"));
        put("reading", body.formatted(readings.get(1), ",\"created\":5"));
        put("event", "{\"id\":\"%s\",\"device\":\"fan\"}".formatted(event));
        assertThat(readingsOf(event)).isEqualTo(readings);
        put("event", "{\"id\":\"%s\",\"device\":\"valve\"}".formatted(event));
        assertThat(readingsOf(event)).isEqualTo(readings);
        delete("reading/id/" + readings.get(1));
        assertThat(readingsOf(event)).containsExactly(readings.get(0));
        put("reading", body.formatted(readings.get(0), ",\"created\":9"));
        delete("event/id/" + event);
        nothingIsStored();
    }

    @Test
    void a_reading_without_a_device_may_get_one() {
        String id = postReading("{\"name\":\"a\",\"value\":\"1\",\"created\":5}");
        put(
                "reading",
                "{\"id\":\"%s\",\"name\":\"b\",\"value\":\"1\",\"device\":\"pump\"}".formatted(id));
        assertThat(ids("reading/device/pump/5")).containsExactly(id);
        assertThat(ids("reading/name/b/5")).containsExactly(id);
        assertThat(ids("reading/name/a/5")).isEmpty();
    }
}
