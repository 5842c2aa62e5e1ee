package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

/** What clients are told while Redis does not answer. */
class RedisAwayTest {

    @Test
    void it_is_alive_but_not_ready_and_a_publish_is_told_to_come_again() {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server.url(), TestHub.IMPATIENT)) {
            assertThat(hub.get("/probe/readiness").status()).isEqualTo(200);
            server.pause();
            try {
                Reply ready = hub.get("/probe/readiness");
                assertThat(ready.status()).isEqualTo(500);
                assertThat(ready.body()).isEqualTo("{\"storage\":{}}\n");
                assertThat(ready.header("content-type")).isEqualTo("application/json");
                assertThat(hub.get("/probe/liveness").status()).isEqualTo(200);
                Reply publish = hub.send("PUT", "/channel/c/message/m", "1");
                assertThat(publish.status()).isEqualTo(503);
                assertThat(publish.json().propertyNames()).containsExactly("error");
                assertThat(publish.header("x-frame-options")).isEqualTo("deny");
            } finally {
                server.resume();
            }
        }
    }
}
