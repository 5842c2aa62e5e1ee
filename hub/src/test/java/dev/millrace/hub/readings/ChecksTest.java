package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A hub that checks values and devices, over HTTP. */
@OnEachSite
final class ChecksTest extends RoomContract {
    private final MetadataService service = new MetadataService();

    @Override
    String[] settings() {
        return new String[] {
            "readings.validate=true",
            "readings.metadata.url=" + service.url(),
            "readings.metadata.check=true",
            "readings.metadata.update-device=true"
        };
    }

    @AfterAll
    void stopMetadata() {
        service.close();
    }

    @BeforeEach
    void describe() {
        service.says("GET /api/v1/device/check/pump", 200, "");
        Reply reply =
                hub.send(
                        "POST",
                        "/api/v1/valuedescriptor",
                        "{\"name\":\"power\",\"type\":\"I\",\"max\":\"5\"}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    private Reply event(String device, String name, String value) {
        return hub.send(
                "POST",
                "/api/v1/event",
                "{\"device\":\"%s\",\"readings\":[{\"name\":\"power\",\"value\":\"1\"},{\"name\":\"%s\",\"value\":\"%s\"}]}"
                        .formatted(device, name, value));
    }

    private void refused(Reply reply, int status, String words) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.body()).contains(words).endsWith("\n");
        assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    }

    @Test
    void an_event_that_is_as_described_is_taken_and_its_device_is_told_of() {
        assertThat(event("pump", "power", "5").status()).isEqualTo(200);
        assertThat(get("event/count").body()).isEqualTo("1");
        await().until(
                        () ->
                                service.asked().stream()
                                        .anyMatch(
                                                line ->
                                                        line.startsWith(
                                                                "PUT /api/v1/device/name/pump/lastconnected/")));
    }

    @Test
    void an_event_of_a_device_that_is_not_known_is_refused_in_the_words_of_the_metadata_service() {
        service.says("GET /api/v1/device/check/locked", 423, "locked\n");
        refused(event("nobody", "power", "5"), 404, "404 - not known here");
        refused(event("locked", "power", "5"), 423, "423 - locked");
        nothingIsStored();
    }

    @Test
    void an_event_with_a_value_that_is_not_described_or_does_not_fit_is_refused() {
        refused(event("pump", "torque", "5"), 404, "'torque'");
        refused(event("pump", "power", "6"), 400, "out of bounds");
        refused(event("pump", "power", "x"), 400, "no whole number");
        nothingIsStored();
    }

    @Test
    void a_metadata_service_that_is_away_is_an_error_and_nothing_is_stored() {
        MetadataService away = new MetadataService();
        away.close();
        try (TestHub other =
                TestHub.start(
                        redisUrl(),
                        "readings.metadata.url=" + away.url(),
                        "readings.metadata.check=true")) {
            refused(
                    other.send("POST", "/api/v1/event", "{\"device\":\"pump\"}"),
                    500,
                    "cannot be asked");
            refused(other.get("/api/v1/valuedescriptor/devicename/pump"), 500, "cannot be asked");
            refused(other.get("/api/v1/event/count/pump"), 500, "cannot be asked");
            refused(other.get("/api/v1/event/device/pump/5"), 503, "cannot be asked");
            refused(other.send("DELETE", "/api/v1/event/device/pump", ""), 500, "cannot be asked");
        }
        nothingIsStored();
    }

    @Test
    void a_reading_that_comes_by_itself_is_checked_like_one_of_an_event() {
        String path = "/api/v1/reading";
        String form = "{\"device\":\"%s\",\"name\":\"%s\",\"value\":\"%s\"}";
        refused(hub.send("POST", path, form.formatted("nobody", "power", "5")), 404, "404 - ");
        refused(
                hub.send("POST", path, form.formatted("pump", "torque", "5")),
                409,
                "Value descriptor not found for reading");
        refused(hub.send("POST", path, form.formatted("pump", "power", "6")), 400, "bounds");
        nothingIsStored();
        Reply taken = hub.send("POST", path, form.formatted("", "power", "5"));
        assertThat(taken.status()).as(taken.body()).isEqualTo(200);
    }

    @Test
    void a_reading_is_not_changed_into_one_that_would_be_refused() {
        String id = postReading("{\"device\":\"pump\",\"name\":\"power\",\"value\":\"5\"}");
        String form = "{\"id\":\"%s\",\"name\":\"%s\",\"value\":\"%s\"}";
        refused(put("reading", form.formatted(id, "torque", "5")), 409, "'torque'");
        refused(put("reading", form.formatted(id, "power", "6")), 400, "bounds");
        assertThat(get("reading/" + id).json().get("value").asString()).isEqualTo("5");
        assertThat(put("reading", form.formatted(id, "power", "4")).body()).isEqualTo("true");
        refused(put("reading", form.formatted("x", "power", "4")), 404, "x");
    }

    @Test
    void questions_about_a_device_or_a_name_that_is_not_known_are_refused() {
        assertThat(event("pump", "power", "5").status()).isEqualTo(200);
        assertThat(get("event/count/pump").body()).isEqualTo("1");
        assertThat(get("event/device/pump/5").json()).hasSize(1);
        assertThat(get("reading/device/pump/5").json()).hasSize(2);
        assertThat(get("reading/name/power/5").json()).hasSize(2);
        assertThat(get("reading/name/power/device/pump/5").json()).hasSize(2);
        refused(get("event/count/nobody"), 404, "404 - ");
        refused(get("event/device/nobody/5"), 404, "404 - ");
        refused(get("reading/device/nobody/5"), 404, "404 - ");
        refused(get("reading/name/power/device/nobody/5"), 404, "404 - ");
        refused(get("reading/name/torque/5"), 404, "'torque'");
        refused(get("reading/name/torque/device/pump/5"), 409, "'torque'");
        refused(get("event/device/nobody/5000000"), 413, "at most");
    }

    @Test
    void what_belongs_to_a_device_that_is_not_known_stays_as_it_is() {
        service.says("GET /api/v1/device/check/old", 200, "");
        Reply taken = event("old", "power", "5");
        assertThat(taken.status()).isEqualTo(200);
        service.says("GET /api/v1/device/check/old", 404, "gone");
        refused(delete("event/device/old"), 404, "404 - gone");
        refused(
                put("event", "{\"id\":\"%s\",\"device\":\"nobody\"}".formatted(taken.body())),
                500,
                "404 - ");
        assertThat(get("event/" + taken.body()).json().get("device").asString()).isEqualTo("old");
        assertThat(get("event/count").body()).isEqualTo("1");
    }
}
