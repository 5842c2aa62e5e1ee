package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.documents.kept.DocumentsLayouts;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** The examples of the fourth key description: its documents, its keys, its events. */
class GoldenDocumentsTest {
    private static final String ROOT = DocumentsTest.ROOT;

    private static final String STOPWATCH =
            """
            {"namespace":"brewblox-ui-store:dashboard-items","id":"117a2504-85b7-43c4-a48d-37bf5d6821cd",\
            "feature":"Stopwatch","order":9,"config":{"session":null},"rows":2,"title":"Stopwatch",\
            "dashboard":"dashboard-home","cols":4}\
            """;

    private static final String UNITS =
            "{\"namespace\":\"brewblox-global\",\"id\":\"units\",\"temperature\":\"degC\"}";

    private static final String SPARK =
            """
            {"namespace":"spark-service","id":"spark-one-service-db",\
            "data":{"autoconnecting":true,"retry_interval":2}}\
            """;

    @Test
    void its_documents_lie_where_it_says_and_are_announced_as_it_says() {
        TestServer server = SharedServers.standalone();
        SharedServers.flushAll();
        try (TestHub hub = TestHub.start(server.url(), "mqtt.embedded.port=off")) {
            String place = hub.get(ROOT + "changes").json().get("next").asString();
            hub.send(
                    "POST",
                    ROOT + "mset",
                    "{\"values\":[%s,%s,%s]}".formatted(STOPWATCH, UNITS, SPARK));
            assertThat(
                            server.command(
                                    "GET",
                                    "brewblox-ui-store:dashboard-items:"
                                            + "117a2504-85b7-43c4-a48d-37bf5d6821cd"))
                    .isEqualTo(STOPWATCH);
            assertThat(server.command("GET", "brewblox-global:units")).isEqualTo(UNITS);
            assertThat(server.command("GET", "spark-service:spark-one-service-db"))
                    .isEqualTo(SPARK);
            hub.send(
                    "POST",
                    ROOT + "mdelete",
                    "{\"namespace\":\"brewblox-ui-store\",\"filter\":\"*\"}");
            List<String> messages = new ArrayList<>();
            hub.get(ROOT + "changes?since=" + place)
                    .json()
                    .get("changes")
                    .forEach(
                            each ->
                                    messages.add(
                                            each.get("namespace").asString()
                                                    + (each.has("changed")
                                                            ? each.get("changed").toString()
                                                            : each.get("deleted").toString())));
            assertThat(messages)
                    .containsExactly(
                            "brewblox-global[" + UNITS + "]",
                            "brewblox-ui-store[" + STOPWATCH + "]",
                            "spark-service[" + SPARK + "]",
                            "brewblox-ui-store[\"brewblox-ui-store:dashboard-items:"
                                    + "117a2504-85b7-43c4-a48d-37bf5d6821cd\"]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"settings:x", "_:x", "settings"})
    void a_namespace_that_is_too_general_is_taken_and_named_by_the_doctor(String key) {
        SharedServers.flushAll();
        try (TestHub hub =
                TestHub.start(SharedServers.standalone().url(), "mqtt.embedded.port=off")) {
            assertThat(new Documents().advice(hub.keyspace())).isEmpty();
            assertThat(
                            hub.send(
                                            "POST",
                                            ROOT + "set",
                                            "{\"value\":{\"namespace\":\"\",\"id\":\"%s\"}}"
                                                    .formatted(key))
                                    .status())
                    .isEqualTo(200);
            String namespace = DocumentsLayouts.topLevelNamespace(key);
            assertThat(new Documents().advice(hub.keyspace()))
                    .singleElement()
                    .asString()
                    .startsWith("The namespace '" + namespace + "' (documents: 1) is too general");
        }
    }
}
