package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Others write the same keys, as Brewblox itself would: on a single server. */
final class ForeignWriterTest {
    private TestServer server;
    private TestHub hub;

    @BeforeEach
    void start() {
        server = SharedServers.standalone();
        SharedServers.flushAll();
        hub = TestHub.start(server.url(), "mqtt.embedded.port=off");
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private Reply post(String call, String body) {
        return hub.send("POST", DocumentsTest.ROOT + call, body);
    }

    private String all() {
        return post("mget", "{\"namespace\":\"\"}").body();
    }

    @Test
    void a_document_lies_under_its_bare_key_as_compact_json() {
        post(
                "set",
                "{\"value\":{\"id\":\"units\",\"namespace\":\"brewblox-global\", \"t\":\"°C\"}}");
        assertThat(server.command("GET", "brewblox-global:units"))
                .isEqualTo("{\"namespace\":\"brewblox-global\",\"id\":\"units\",\"t\":\"°C\"}");
        assertThat(server.command("TTL", "brewblox-global:units")).isEqualTo(-1L);
    }

    @Test
    void a_stored_document_that_somebody_changed_is_believed() {
        post("set", "{\"value\":{\"namespace\":\"a\",\"id\":\"x\"}}");
        server.command("SET", "a:x", "{\"namespace\":\"other\",\"id\":\"name\"}");
        assertThat(post("get", "{\"namespace\":\"a\",\"id\":\"x\"}").body())
                .isEqualTo("{\"value\":{\"namespace\":\"other\",\"id\":\"name\"}}");
        assertThat(all()).isEqualTo("{\"values\":[{\"namespace\":\"other\",\"id\":\"name\"}]}");
    }

    @Test
    void a_damaged_one_is_left_out_and_spoils_nothing() {
        for (String id : new String[] {"w", "x", "y", "z"}) {
            post("set", "{\"value\":{\"namespace\":\"a\",\"id\":\"%s\"}}".formatted(id));
        }
        server.command("SET", "a:x", "{\"half\":");
        server.command("DEL", "a:y");
        server.command("RPUSH", "a:y", "a list");
        server.command("SET", "a:w", "");
        String left = "{\"namespace\":\"a\",\"id\":\"z\"}";
        assertThat(all()).isEqualTo("{\"values\":[" + left + "]}");
        for (String id : new String[] {"w", "x", "y"}) {
            assertThat(post("get", "{\"namespace\":\"a\",\"id\":\"%s\"}".formatted(id)).body())
                    .isEqualTo("{\"value\":null}");
        }
        assertThat(hub.get("/metrics").body()).contains("millrace_documents_damaged_total");
        assertThat(post("set", "{\"value\":{\"namespace\":\"a\",\"id\":\"x\"}}").status())
                .isEqualTo(200);
        Reply list = post("set", "{\"value\":{\"namespace\":\"a\",\"id\":\"y\"}}");
        assertThat(list.status()).isEqualTo(422);
        assertThat(list.json().at("/detail/0/type").asString()).isEqualTo("reserved_key");
        assertThat(server.command("LLEN", "a:y")).isEqualTo(1L);
        assertThat(post("delete", "{\"namespace\":\"a\",\"id\":\"y\"}").body())
                .isEqualTo("{\"count\":0}");
    }

    @Test
    void what_somebody_else_put_there_is_not_seen_until_fsck_adopts_it() {
        server.command("SET", "a:x", "{\"namespace\":\"a\",\"id\":\"x\",\"n\":1}");
        server.command("SET", "a:text", "no document");
        server.command("SET", "a:other", "{\"some\":\"JSON\"}");
        server.command("SADD", "a:set", "member");
        String query = "{\"namespace\":\"a\",\"id\":\"x\"}";
        assertThat(post("get", query).body()).isEqualTo("{\"value\":null}");
        assertThat(all()).isEqualTo("{\"values\":[]}");
        assertThat(post("set", "{\"value\":" + query + "}").json().at("/detail/0/type").asString())
                .isEqualTo("reserved_key");
        assertThat(post("mdelete", "{\"namespace\":\"\",\"filter\":\"*\"}").body())
                .isEqualTo("{\"count\":0}");

        hub.keyspace().check().repairing().run();

        assertThat(all()).isEqualTo("{\"values\":[{\"namespace\":\"a\",\"id\":\"x\",\"n\":1}]}");
        assertThat(post("set", "{\"value\":" + query + "}").status()).isEqualTo(200);
        assertThat(post("mdelete", "{\"namespace\":\"\",\"filter\":\"*\"}").body())
                .isEqualTo("{\"count\":1}");
        assertThat(server.command("GET", "a:text")).isEqualTo("no document");
        assertThat(server.command("EXISTS", "a:other")).isEqualTo(1L);
        assertThat(server.command("SCARD", "a:set")).isEqualTo(1L);
    }
}
