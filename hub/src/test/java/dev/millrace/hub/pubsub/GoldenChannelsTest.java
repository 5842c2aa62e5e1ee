package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.pubsub.channels.AckHandle;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The scenario of the fifth key description, step by step: keys, values, and how long they live.
 */
class GoldenChannelsTest {
    private static final String ENVELOPE =
            "{\"id\":\"msg123\",\"content\":{ \"text\": \"hello!\" }}";

    /** ceil(30 minutes + 15 s). */
    private static final long WHOLE_LIFE = 1815;

    private final TestServer server = SharedServers.standalone();
    private TestHub hub;

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        hub = TestHub.start(server.url());
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    /** The keys of the description; what we add has a name of its own. */
    private Map<String, String> keys() {
        Map<String, String> keys = new TreeMap<>();
        for (Object key : (List<?>) server.command("KEYS", "c.*")) {
            keys.put((String) key, String.valueOf(server.command("GET", (String) key)));
        }
        return keys;
    }

    /** Time goes by: every key has less of its life left. Then which of them have all of it. */
    private List<String> renewedBy(Runnable step) {
        keys().keySet().forEach(key -> server.command("EXPIRE", key, "1000"));
        step.run();
        List<String> renewed = new ArrayList<>();
        for (String key : keys().keySet()) {
            long left = (Long) server.command("TTL", key);
            if (left > 1000) {
                // A slow machine may have let some seconds pass.
                assertThat(left).isBetween(WHOLE_LIFE - 60, WHOLE_LIFE);
                renewed.add(key);
            }
        }
        return renewed;
    }

    private void call(String method, String path, String body, int status) {
        assertThat(hub.send(method, "/channel/chx/" + path, body).status()).isEqualTo(status);
    }

    @Test
    void its_scenario_step_by_step() {
        assertThat(renewedBy(() -> call("PUT", "subscription/polling/sa", "", 200)))
                .containsExactly("c.{chx}.clock", "c.{chx}.r.sa");
        assertThat(keys()).isEqualTo(Map.of("c.{chx}.clock", "0", "c.{chx}.r.sa", "0"));

        assertThat(renewedBy(() -> call("PUT", "subscription/polling/sb", "", 200)))
                .containsExactly("c.{chx}.clock", "c.{chx}.r.sb");
        assertThat(keys())
                .isEqualTo(Map.of("c.{chx}.clock", "0", "c.{chx}.r.sa", "0", "c.{chx}.r.sb", "0"));

        String content = "{ \"text\": \"hello!\" }";
        assertThat(renewedBy(() -> call("PUT", "message/msg123", content, 200)))
                .containsExactly("c.{chx}.clock", "c.{chx}.m.1", "c.{chx}.mid.msg123");
        assertThat(keys())
                .isEqualTo(
                        Map.of(
                                "c.{chx}.clock", "1",
                                "c.{chx}.r.sa", "0",
                                "c.{chx}.r.sb", "0",
                                "c.{chx}.m.1", ENVELOPE,
                                "c.{chx}.mid.msg123", "1"));

        String[] handle = {""};
        assertThat(
                        renewedBy(
                                () ->
                                        handle[0] =
                                                hub.get("/channel/chx/subscription/polling/sa")
                                                        .json()
                                                        .get("ackHandle")
                                                        .asString()))
                .containsExactly("c.{chx}.clock", "c.{chx}.r.sa");
        assertThat(handle[0]).isEqualTo(AckHandle.of("redis1", "chx", "sa", 1));

        String acknowledge = "subscription/polling/sa/message?ackHandle=" + handle[0];
        assertThat(renewedBy(() -> call("DELETE", acknowledge, "", 204)))
                .containsExactly("c.{chx}.clock", "c.{chx}.r.sa");
        assertThat(keys())
                .isEqualTo(
                        Map.of(
                                "c.{chx}.clock", "1",
                                "c.{chx}.r.sa", "1",
                                "c.{chx}.r.sb", "0",
                                "c.{chx}.m.1", ENVELOPE,
                                "c.{chx}.mid.msg123", "1"));

        assertThat(renewedBy(() -> call("PUT", "message/msg123", content, 200)))
                .containsExactly("c.{chx}.clock");
        assertThat(renewedBy(() -> call("DELETE", acknowledge, "", 204))).isEmpty();
        // Of the description's own server the cursor would not be renewed, and die under a client.
        assertThat(renewedBy(() -> call("PUT", "subscription/polling/sa", "", 200)))
                .containsExactly("c.{chx}.clock", "c.{chx}.r.sa");
        assertThat(renewedBy(() -> call("DELETE", "subscription/polling/sa", "", 200))).isEmpty();
        assertThat(keys()).doesNotContainKey("c.{chx}.r.sa").containsKey("c.{chx}.r.sb");
    }
}
