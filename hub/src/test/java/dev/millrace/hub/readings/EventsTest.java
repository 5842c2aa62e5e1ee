package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.cbor.CBORMapper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** {@code POST} and {@code GET /api/v1/event}, as a client of EdgeX sees them. */
@OnEachSite
final class EventsTest extends RoomContract {

    @Test
    void an_event_comes_back_as_it_was_sent_with_its_readings_in_their_order() {
        String id =
                post(
                        """
                        {"device":"pump","origin":1590508601358048800,"readings":[
                          {"name":"torque","value":"7","origin":5},
                          {"name":"power","value":"1.5e0","valueType":"FLOAT64",
                           "floatEncoding":"eNotation"},
                          {"name":"angle","value":"3"}]}
                        """);
        assertThat(id).hasSize(36);
        Reply reply = get("event/" + id);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("content-type")).isEqualTo("application/json");
        JsonNode event = reply.json();
        assertThat(event.propertyNames())
                .containsExactly("id", "device", "created", "origin", "readings");
        assertThat(event.get("id").asString()).isEqualTo(id);
        assertThat(event.get("origin").asLong()).isEqualTo(1590508601358048800L);
        long created = event.get("created").asLong();
        JsonNode readings = event.get("readings");
        assertThat(readings).hasSize(3);
        assertThat(readings.get(0).get("name").asString()).isEqualTo("torque");
        assertThat(readings.get(1).get("name").asString()).isEqualTo("power");
        assertThat(readings.get(2).get("name").asString()).isEqualTo("angle");
        assertThat(readings.get(1).get("valueType").asString()).isEqualTo("Float64");
        for (JsonNode reading : readings) {
            assertThat(reading.get("created").asLong()).isEqualTo(created);
            assertThat(reading.get("device").asString()).isEqualTo("pump");
            assertThat(reading.get("id").asString()).hasSize(36);
        }
    }

    @Test
    void an_answer_is_a_bare_id_as_text() {
        Reply reply = hub.send("POST", "/api/v1/event", event("pump", 5, "power"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(reply.body()).hasSize(36).doesNotContain("\n");
    }

    @Test
    void the_newest_come_first_and_equal_times_by_id_backwards() {
        String old = post(event("pump", 1000, "power"));
        List<String> same =
                List.of(post(event("pump", 2000, "power")), post(event("fan", 2000, "power")));
        String latest = post(event("pump", 3000, "power", "torque"));
        List<String> tied = same.stream().sorted(Comparator.reverseOrder()).toList();
        assertThat(ids("event")).containsExactly(latest, tied.get(0), tied.get(1), old);
        assertThat(ids("event/1000/2000/50")).containsExactly(tied.get(0), tied.get(1), old);
        assertThat(ids("event/0/9999/2")).containsExactly(latest, tied.get(0));
        assertThat(ids("event/device/pump/2")).containsExactly(latest, same.get(0));
        assertThat(ids("event/device/nobody/2")).isEmpty();
        assertThat(ids("event/device/pump/0")).isEmpty();
        assertThat(get("event/count").body()).isEqualTo("4");
        assertThat(get("event/count/pump").body()).isEqualTo("3");
        assertThat(get("event/device/pump/1").json().get(0).get("readings")).hasSize(2);
    }

    @Test
    void ids_of_the_client_are_kept_and_taken_once() {
        String own = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
        String reading = "6BA7B811-9dad-11d1-80b4-00c04fd430c8";
        String body =
                "{\"id\":\"%s\",\"device\":\"pump\",\"readings\":[{\"id\":\"%s\",\"name\":\"a\",\"value\":\"1\"}]}";
        assertThat(post(body.formatted(own, reading))).isEqualTo(own);
        assertThat(get("event/" + own).json().at("/readings/0/id").asString()).isEqualTo(reading);
        expect(409, "POST", "event", body.formatted(own, UUID.randomUUID()));
        expect(409, "POST", "event", body.formatted(UUID.randomUUID(), reading));
        expect(409, "POST", "event", body.formatted(reading, UUID.randomUUID()));
        String twice = UUID.randomUUID().toString();
        expect(409, "POST", "event", body.formatted(twice, twice));
        assertThat(get("event/count").body()).isEqualTo("1");
        assertThat(get("reading/count").body()).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "[]",
                "{\"device\":\"\"}",
                "{\"readings\":[{\"name\":\"a\",\"value\":\"1\"}]}",
                "{\"device\":\"pump\",\"created\":\"5\"}",
                "{\"device\":\"pump\",\"readings\":[{\"name\":\"a\"}]}",
                "{\"device\":\"pump\",\"id\":\"event\"}",
                "{\"device\":\"pump\",\"id\":\"57ba04a1189b95b8afcdafd7\"}",
                "{\"device\":\"pump\",\"readings\":[{\"id\":\"x\",\"name\":\"a\",\"value\":\"1\"}]}"
            })
    void a_body_that_is_no_event_is_refused_and_nothing_is_stored(String body) {
        expect(400, "POST", "event", body);
        nothingIsStored();
    }

    @Test
    void a_name_that_makes_no_key_is_refused() {
        expect(400, "POST", "event", event("x".repeat(2000), 0, "power"));
        nothingIsStored();
    }

    @Test
    void more_readings_than_an_event_takes_are_too_many() {
        String[] names = new String[501];
        Arrays.fill(names, "power");
        expect(413, "POST", "event", event("pump", 0, names));
        nothingIsStored();
        assertThat(post(event("pump", 0, Arrays.copyOf(names, 500)))).hasSize(36);
        assertThat(get("event/device/pump/1").json().at("/0/readings")).hasSize(500);
        assertThat(delete("event/device/pump").body()).isEqualTo("1");
        nothingIsStored();
    }

    @Test
    void a_body_of_ten_megabytes_is_too_large_to_store() {
        String large = "x".repeat(10 << 20);
        expect(
                413,
                "POST",
                "event",
                "{\"device\":\"pump\",\"readings\":[{\"name\":\"a\",\"value\":\"%s\"}]}"
                        .formatted(large));
        nothingIsStored();
        String binary =
                post(
                        "{\"device\":\"pump\",\"readings\":[{\"name\":\"a\",\"valueType\":\"Binary\",\"mediaType\":\"x/y\",\"binaryValue\":\"%s\"}]}"
                                .formatted("AAAA".repeat(2 << 20)));
        assertThat(get("event/" + binary).json().at("/readings/0").has("binaryValue")).isFalse();
    }

    @Test
    void limits_are_looked_at_before_anything_else() {
        expect(413, "GET", "event/device/pump/51", "");
        expect(413, "GET", "event/1/2/51", "");
        expect(200, "GET", "event/device/pump/50", "");
        expect(400, "GET", "event/device/pump/99999999999999999999", "");
        expect(400, "GET", "event/99999999999999999999/2/1", "");
        expect(400, "GET", "event/1/99999999999999999999/1", "");
        expect(404, "GET", "event/device/pump/-1", "");
        expect(404, "GET", "event/1/2/x", "");
        expect(404, "GET", "event/-1/2/5", "");
    }

    @Test
    void all_are_as_many_as_one_query_gives() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ids.addFirst(post(event("device" + i % 7, 1000 + i, "a", "b")));
        }
        assertThat(ids("event")).isEqualTo(ids.subList(0, 50));
        assertThat(ids("event/1005/1044/50")).isEqualTo(ids.subList(15, 55));
        assertThat(get("event/device/device1/3").json().at("/0/readings")).hasSize(2);
    }

    @Test
    void what_is_unknown_is_not_found() {
        String reading = postReading("{\"name\":\"a\",\"value\":\"1\"}");
        for (String id : List.of(reading, UUID.randomUUID().toString(), "event", "x")) {
            expect(404, "GET", "event/" + id, "");
            expect(404, "PUT", "event/id/" + id, "");
            expect(404, "DELETE", "event/id/" + id, "");
            expect(404, "PUT", "event", "{\"id\":\"%s\",\"device\":\"pump\"}".formatted(id));
        }
        expect(404, "PUT", "event", "{\"device\":\"pump\"}");
        expect(404, "PUT", "event/checksum/abc", "");
        assertThat(get("event/x").body()).isEqualTo("no event found for id x\n");
        assertThat(get("reading/count").body()).isEqualTo("1");
    }

    @Test
    void an_event_is_marked_as_exported() {
        String id = post(event("pump", 1000, "a"));
        assertThat(get("event/" + id).json().has("pushed")).isFalse();
        Reply marked = put("event/id/" + id, "whatever");
        assertThat(marked.status()).isEqualTo(200);
        assertThat(marked.body()).isEqualTo("true");
        assertThat(marked.header("content-type")).isEqualTo("application/json");
        JsonNode event = get("event/" + id).json();
        assertThat(event.get("pushed").asLong())
                .isEqualTo(event.get("modified").asLong())
                .isPositive();
        assertThat(event.get("readings")).hasSize(1);
    }

    @Test
    void a_change_takes_what_is_given() {
        String id = post("{\"device\":\"pump\",\"created\":1000,\"origin\":7}");
        assertThat(
                        put(
                                        "event",
                                        "{\"id\":\"%s\",\"device\":\"pump\",\"pushed\":99}"
                                                .formatted(id))
                                .body())
                .isEqualTo("true");
        JsonNode event = get("event/" + id).json();
        assertThat(event.get("pushed").asLong()).isEqualTo(99);
        assertThat(event.get("origin").asLong()).isEqualTo(7);
        assertThat(event.get("created").asLong()).isEqualTo(1000);
        assertThat(event.get("modified").asLong()).isPositive();
        expect(400, "PUT", "event", "{\"id\":\"%s\",\"pushed\":99}".formatted(id));
        expect(400, "PUT", "event", "nonsense");
        expect(
                400,
                "PUT",
                "event",
                "{\"id\":\"%s\",\"device\":\"pump\",\"readings\":[{}]}".formatted(id));
    }

    @Test
    void an_event_that_is_given_to_another_device_takes_its_readings_along() {
        for (int i = 0; i < 5; i++) {
            String id = post(event("pump", 1000, "a", "b", "c"));
            List<String> names = names(id);
            assertThat(put("event", "{\"id\":\"%s\",\"device\":\"fan%d\"}".formatted(id, i)).body())
                    .isEqualTo("true");
            assertThat(names(id)).isEqualTo(names);
            assertThat(get("event/" + id).json().at("/readings/1/device").asString())
                    .isEqualTo("fan" + i);
            assertThat(ids("event/device/fan" + i + "/9")).containsExactly(id);
            assertThat(ids("reading/device/fan" + i + "/9")).hasSize(3);
            assertThat(ids("event/device/pump/9")).isEmpty();
            assertThat(ids("reading/device/pump/9")).isEmpty();
        }
        assertThat(get("reading/count").body()).isEqualTo("15");
        assertThat(delete("event/scruball").body()).isEqualTo("true\n");
        nothingIsStored();
    }

    private List<String> names(String event) {
        List<String> names = new ArrayList<>();
        get("event/" + event)
                .json()
                .get("readings")
                .forEach(r -> names.add(r.get("name").asString()));
        return names;
    }

    @Test
    void events_in_cbor_are_known_by_their_checksum_until_they_are_exported() {
        byte[] body =
                new CBORMapper()
                        .writeValueAsBytes(
                                Map.of(
                                        "device",
                                        "pump",
                                        "readings",
                                        List.of(Map.of("name", "a", "value", "1"))));
        String one = hub.send("POST", "/api/v1/event", "application/CBOR", body).body();
        String two = hub.send("POST", "/api/v1/event", "application/cbor", body).body();
        assertThat(one).hasSize(36).isNotEqualTo(two);
        String checksum = Checksum.XXHASH.of(body);
        Reply marked = put("event/checksum/" + checksum, "");
        assertThat(marked.status()).isEqualTo(200);
        assertThat(marked.body()).isEmpty();
        assertThat(marked.header("content-type")).isNotEmpty();
        assertThat(get("event/" + one).json().has("pushed")).isTrue();
        assertThat(get("event/" + two).json().has("pushed")).isTrue();
        expect(404, "PUT", "event/checksum/" + checksum, "");
        assertThat(hub.send("POST", "/api/v1/event", "application/cbor; a=b", body).status())
                .as("with parameters it is JSON")
                .isEqualTo(400);
        assertThat(hub.send("POST", "/api/v1/event", "application/cbor", new byte[] {1}).status())
                .isEqualTo(400);
        assertThat(hub.send("PUT", "/api/v1/event", "application/cbor", body).status())
                .isEqualTo(501);
        assertThat(hub.send("PUT", "/api/v1/event/id/" + one, "application/cbor", body).status())
                .isEqualTo(501);
        assertThat(hub.send("PUT", "/api/v1/event/id/" + one, "application/CBOR", body).status())
                .isEqualTo(200);
    }

    @Test
    void any_content_type_is_json() {
        byte[] body = event("pump", 1, "a").getBytes(StandardCharsets.UTF_8);
        for (String type : List.of("text/plain", "application/xml", "x")) {
            assertThat(hub.send("POST", "/api/v1/event", type, body).status()).isEqualTo(200);
        }
    }

    @Test
    void an_event_goes_with_its_readings() {
        String gone = post(event("pump", 1000, "a", "b"));
        String stays = post(event("pump", 1000, "a"));
        assertThat(delete("event/id/" + gone).body()).isEqualTo("true");
        expect(404, "GET", "event/" + gone, "");
        assertThat(ids("event")).containsExactly(stays);
        assertThat(get("reading/count").body()).isEqualTo("1");
    }

    @Test
    void the_old_the_exported_and_those_of_a_device_are_deleted_and_counted() {
        long now = System.currentTimeMillis();
        post(event("pump", 1000, "a", "b"));
        post(event("fan", 2000, "a"));
        post("{\"device\":\"fan\",\"pushed\":-5,\"created\":%d}".formatted(now));
        String pushed = post(event("valve", now, "a"));
        put("event/id/" + pushed, "");
        String stays = post(event("valve", now, "b"));
        Reply old = delete("event/removeold/age/3600000");
        assertThat(old.body()).isEqualTo("2");
        assertThat(old.header("content-type")).isEqualTo("application/json");
        assertThat(delete("event/scrub").body()).isEqualTo("2");
        assertThat(ids("event")).containsExactly(stays);
        postReading("{\"device\":\"valve\",\"name\":\"single\",\"value\":\"1\"}");
        postReading("{\"name\":\"single\",\"value\":\"1\"}");
        assertThat(delete("event/device/nobody").body()).isEqualTo("0");
        assertThat(delete("event/device/valve").body()).isEqualTo("1");
        assertThat(get("event/count").body()).isEqualTo("0");
        assertThat(get("reading/count").body()).isEqualTo("1");
        expect(404, "DELETE", "event/removeold/age/-5", "");
        expect(400, "DELETE", "event/removeold/age/99999999999999999999", "");
    }

    @Test
    void scruball_takes_all_events_and_readings_and_nothing_else() {
        post(event("pump", 1000, "a", "b"));
        postReading("{\"name\":\"single\",\"value\":\"1\"}");
        String kept = hub.send("POST", "/api/v1/valuedescriptor", "{\"name\":\"power\"}").body();
        Reply all = delete("event/scruball");
        assertThat(all.status()).isEqualTo(200);
        assertThat(all.body()).isEqualTo("true\n");
        assertThat(get("event/count").body()).isEqualTo("0");
        assertThat(get("reading/count").body()).isEqualTo("0");
        assertThat(get("valuedescriptor/" + kept).status()).isEqualTo(200);
    }

    @Test
    void a_wrong_method_has_an_empty_answer() {
        Reply reply = hub.send("PATCH", "/api/v1/event", "");
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.body()).isEmpty();
        expect(405, "GET", "event/id/x", "");
        expect(405, "POST", "event/scrub", "");
    }
}
