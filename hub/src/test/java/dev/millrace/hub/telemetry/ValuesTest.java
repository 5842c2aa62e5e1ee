package dev.millrace.hub.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Values over HTTP, as the table of errors has them. */
class ValuesTest {
    private static TestHub hub;

    @BeforeAll
    static void start() {
        hub = TestHub.start(SharedServers.standalone().url());
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @Test
    void a_point_that_cannot_be_stored_does_not_stop_the_others() {
        hub.send("POST", "/api/channels/1/T", "{\"101\":85.50}");
        TestHub.Reply reply =
                hub.send("POST", "/api/channels/1/T", "{\"101\":\"abc\",\"102\":3.2}");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json().at("/data/written").asInt()).isEqualTo(1);
        assertThat(reply.json().at("/data/rejected/0/point_id").asString()).isEqualTo("101");
        assertThat(reply.json().at("/data/alarms").toString())
                .isEqualTo("{\"triggered\":[],\"cleared\":[]}");
        TestHub.Reply read = hub.get("/api/comsrv/channels/1/T?points=101,102,103");
        assertThat(read.json().at("/data/values").size()).isEqualTo(2);
        assertThat(read.json().at("/data/values/0/value").toString()).isEqualTo("85.5");
        assertThat(read.json().at("/data/values/1/quality").asString()).isEqualTo("good");
        assertThat(hub.get("/api/channels/1/T/102").json().at("/data/value").asDouble())
                .isEqualTo(3.2);
    }
}
