package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents live beside everything else in one Redis, and never touch what is not theirs. */
@OnEachSite
final class SharedKeysTest {
    @Parameter Site site;

    private static final String ROOT = DocumentsTest.ROOT;

    private TestHub hub;

    String url() {
        return site.url();
    }

    @BeforeEach
    void start() {
        String url = url();
        SharedServers.flushAll();
        hub = TestHub.start(url, "mqtt.embedded.port=off");
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private Reply post(String call, String body) {
        return hub.send("POST", ROOT + call, body);
    }

    @ParameterizedTest
    @CsvSource({
        "alarm, events, reserved_key",
        "'', alarm:events, reserved_key",
        "alarm:rule, x, reserved_key",
        "login, '', string_too_short",
        "'', login:, reserved_key",
        "c.{x}, clock, string_pattern_mismatch",
        "millrace, documents, reserved_key",
        "millrace:documents:versions, a, reserved_key",
        "millrace:feed, documents, reserved_key",
        "'', event, reserved_key",
        "event, created, reserved_key",
        "comsrv:1, T, reserved_key",
        "'a', 'b:', reserved_key"
    })
    void a_key_of_another_room_is_refused_however_it_is_split(
            String namespace, String id, String type) {
        String document = "{\"namespace\":\"%s\",\"id\":\"%s\"}".formatted(namespace, id);
        Reply one = post("set", "{\"value\":" + document + "}");
        assertThat(one.status()).as(one.body()).isEqualTo(422);
        assertThat(one.json().at("/detail/0/type").asString()).isEqualTo(type);
        Reply many =
                post("mset", "{\"values\":[{\"namespace\":\"ok\",\"id\":\"1\"}," + document + "]}");
        assertThat(many.status()).isEqualTo(422);
        assertThat(many.json().at("/detail/0/loc/2").asInt()).isEqualTo(1);
        assertThat(post("get", document).body()).isEqualTo("{\"value\":null}");
        assertThat(post("delete", document).body()).isEqualTo("{\"count\":0}");
        assertThat(post("mget", "{\"namespace\":\"\"}").body()).isEqualTo("{\"values\":[]}");
    }

    /** Ids that are made here carry the shard of their device; others have a pointer. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\"id\":\"117a2504-85b7-43c4-a48d-37bf5d6821cd\","})
    void a_stored_event_is_not_overwritten_by_a_document_of_its_name(String ownId) {
        String id =
                hub.send(
                                "POST",
                                "/api/v1/event",
                                "{%s\"device\":\"pump\",\"readings\":[]}".formatted(ownId))
                        .body();
        String event = hub.get("/api/v1/event/" + id).body();
        String document = "{\"namespace\":\"\",\"id\":\"%s\"}".formatted(id);
        Reply refused =
                post(
                        "mset",
                        "{\"values\":[%s,{\"namespace\":\"\",\"id\":\"free\"},%s]}"
                                .formatted(
                                        document, "{\"namespace\":\"alarm\",\"id\":\"events\"}"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().get("detail")).hasSize(2);
        assertThat(refused.json().at("/detail/0/type").asString()).isEqualTo("reserved_key");
        Reply one = post("set", "{\"value\":" + document + "}");
        assertThat(one.status()).as(one.body()).isEqualTo(422);
        assertThat(one.json().at("/detail/0/type").asString()).isEqualTo("reserved_key");
        assertThat(post("get", document).body()).isEqualTo("{\"value\":null}");
        assertThat(post("delete", document).body()).isEqualTo("{\"count\":0}");
        assertThat(post("mdelete", "{\"namespace\":\"\",\"filter\":\"*\"}").body())
                .isEqualTo("{\"count\":0}");
        assertThat(hub.get("/api/v1/event/" + id).body()).isEqualTo(event);
    }
}
