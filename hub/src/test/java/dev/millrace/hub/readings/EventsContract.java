package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.Comparator;
import java.util.List;

/** {@code POST} and {@code GET /api/v1/event}, as a client of EdgeX sees them. */
abstract class EventsContract extends RoomContract {

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
}
