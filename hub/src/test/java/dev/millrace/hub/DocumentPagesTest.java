package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The pages that describe documents, under a name of somebody's choice. */
class DocumentPagesTest {
    private static TestHub hub;

    @BeforeAll
    static void start() {
        SharedServers.flushAll();
        hub =
                TestHub.start(
                        SharedServers.standalone(),
                        "documents.name=store",
                        "mqtt.embedded.port=off");
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @Test
    void both_pages_load_only_what_is_on_board() {
        for (String page : List.of("/store/api/doc", "/store/api/redoc")) {
            Reply html = hub.get(page);
            assertThat(html.status()).isEqualTo(200);
            assertThat(html.header("content-type")).startsWith("text/html");
            Matcher links = Pattern.compile("(?:src|href)=\"([^\"]+)\"").matcher(html.body());
            List<String> loaded = new ArrayList<>();
            while (links.find()) {
                String link = links.group(1);
                loaded.add(link);
                assertThat(hub.get(link.startsWith("/") ? link : "/store/api/" + link).status())
                        .as(link)
                        .isEqualTo(200);
            }
            assertThat(loaded).hasSizeGreaterThan(1).noneMatch(link -> link.contains("//"));
        }
        assertThat(hub.get("/store/api/openapi.json").status()).isEqualTo(404);
    }

    @Test
    void the_description_has_every_call_and_the_names_that_clients_know() {
        JsonNode description = hub.get("/store/openapi.json").json();
        assertThat(description.get("openapi").asString()).startsWith("3.1");
        Set<String> described = new TreeSet<>(description.get("paths").propertyNames());
        Set<String> there =
                hub.hub().table().routes().stream()
                        .map(route -> route.path())
                        .filter(path -> path.startsWith("/store/datastore/"))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(described).isEqualTo(there);
        assertThat(description.at("/components/schemas").propertyNames())
                .contains(
                        "DatastoreSingleQuery",
                        "DatastoreMultiQuery",
                        "DatastoreValue",
                        "DatastoreSingleValueBox",
                        "DatastoreOptSingleValueBox",
                        "DatastoreMultiValueBox",
                        "DatastoreDeleteResponse",
                        "PingResponse",
                        "HTTPValidationError",
                        "ValidationError");
        assertThat(
                        description
                                .at("/components/schemas/DatastoreValue/additionalProperties")
                                .asBoolean())
                .isTrue();
        Matcher references =
                Pattern.compile("#/components/schemas/(\\w+)").matcher(description.toString());
        while (references.find()) {
            assertThat(description.at("/components/schemas").has(references.group(1))).isTrue();
        }
    }
}
