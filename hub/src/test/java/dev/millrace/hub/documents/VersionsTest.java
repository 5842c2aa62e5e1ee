package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What is more than the seven calls: conditions, patches, versions, lines. */
@OnEachSite
final class VersionsTest {
    @Parameter Site site;

    private static final String ROOT = DocumentsTest.ROOT;
    private static final String X = "{\"namespace\":\"a\",\"id\":\"x\"}";

    private TestHub hub;
    private final HttpClient client = HttpClient.newHttpClient();

    String url() {
        return site.url();
    }

    @BeforeEach
    void start() {
        String url = url();
        SharedServers.flushAll();
        hub = TestHub.start(url, "mqtt.embedded.port=off", "documents.versions=3");
    }

    @AfterEach
    void nothingHasDrifted() {
        try {
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        } finally {
            client.close();
            hub.close();
        }
    }

    private Reply set(int n) {
        return hub.send("POST", ROOT + "set", body(n, ""));
    }

    private static String body(int n, String more) {
        return "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"n\":%d}%s}".formatted(n, more);
    }

    private int stored() {
        return hub.send("POST", ROOT + "get", X).json().at("/value/n").asInt(-1);
    }

    private HttpResponse<String> send(
            String method, String path, String body, String header, String value) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(hub.url() + ROOT + path))
                            .header(header, value)
                            .method(method, BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    // ---------------------------------------------------------------- conditions

    @Test
    void a_document_is_written_if_it_is_still_the_one_that_was_read() {
        String tag = set(1).header("etag");
        assertThat(hub.send("POST", ROOT + "get", X).header("etag")).isEqualTo(tag);
        assertThat(send("POST", "set", body(2, ""), "If-Match", tag).statusCode()).isEqualTo(200);
        HttpResponse<String> late = send("POST", "set", body(3, ""), "If-Match", tag);
        assertThat(late.statusCode()).isEqualTo(412);
        assertThat(late.headers().firstValue("etag")).isPresent();
        assertThat(stored()).isEqualTo(2);
        assertThat(send("POST", "set", body(4, ""), "If-Match", "*").statusCode()).isEqualTo(200);
    }

    @Test
    void a_document_is_created_if_there_is_none() {
        assertThat(send("POST", "set", body(1, ""), "If-Match", "*").statusCode()).isEqualTo(412);
        assertThat(send("POST", "set", body(1, ""), "If-None-Match", "*").statusCode())
                .isEqualTo(200);
        assertThat(send("POST", "set", body(2, ""), "If-None-Match", "*").statusCode())
                .isEqualTo(412);
        assertThat(stored()).isEqualTo(1);
        String reserved = "{\"value\":{\"namespace\":\"alarm\",\"id\":\"events\"}}";
        assertThat(send("POST", "set", reserved, "If-None-Match", "*").statusCode()).isEqualTo(422);
    }

    @Test
    void a_revision_beside_the_document_means_the_same() {
        assertThat(hub.send("POST", ROOT + "set", body(1, ",\"revision\":null")).status())
                .isEqualTo(200);
        assertThat(hub.send("POST", ROOT + "set", body(2, ",\"revision\":null")).status())
                .isEqualTo(412);
        String revision = hub.send("POST", ROOT + "get", X).header("etag");
        assertThat(hub.send("POST", ROOT + "set", body(3, ",\"revision\":" + revision)).status())
                .isEqualTo(200);
        assertThat(hub.send("POST", ROOT + "set", body(4, ",\"revision\":" + revision)).status())
                .isEqualTo(412);
        assertThat(stored()).isEqualTo(3);
    }

    @Test
    void of_many_who_count_up_with_a_condition_nobody_is_lost() {
        set(0);
        List<CompletableFuture<Void>> counting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            counting.add(
                    CompletableFuture.runAsync(
                            () -> {
                                int done = 0;
                                while (done < 25) {
                                    Reply now = hub.send("POST", ROOT + "get", X);
                                    int next = now.json().at("/value/n").asInt() + 1;
                                    done +=
                                            send(
                                                                            "POST",
                                                                            "set",
                                                                            body(next, ""),
                                                                            "If-Match",
                                                                            now.header("etag"))
                                                                    .statusCode()
                                                            == 200
                                                    ? 1
                                                    : 0;
                                }
                            },
                            Thread::startVirtualThread));
        }
        CompletableFuture.allOf(counting.toArray(CompletableFuture[]::new)).join();
        assertThat(stored()).isEqualTo(100);
    }

    // ---------------------------------------------------------------- patch

    @Test
    void a_patch_changes_some_members_and_removes_others() {
        hub.send(
                "POST",
                ROOT + "set",
                "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"n\":1,\"o\":{\"a\":1,\"b\":2},\"l\":[1]}}");
        Reply patched =
                hub.send(
                        "PATCH",
                        ROOT + "document?namespace=a&id=x",
                        "{\"n\":null,\"o\":{\"a\":null,\"c\":1e3},\"l\":[2],\"new\":{\"y\":null}}");
        assertThat(patched.body())
                .isEqualTo(
                        "{\"value\":{\"namespace\":\"a\",\"id\":\"x\","
                                + "\"o\":{\"b\":2,\"c\":1000.0},\"l\":[2],\"new\":{}}}");
        assertThat(hub.send("PATCH", ROOT + "document?namespace=a&id=no", "{}").status())
                .isEqualTo(404);
        assertThat(hub.send("PATCH", ROOT + "document?namespace=a&id=x", "{\"id\":\"y\"}").status())
                .isEqualTo(422);
        assertThat(
                        send("PATCH", "document?namespace=a&id=x", "{\"n\":2}", "If-Match", "\"0\"")
                                .statusCode())
                .isEqualTo(412);
    }

    // ---------------------------------------------------------------- versions

    private List<Integer> versions() {
        List<Integer> versions = new ArrayList<>();
        for (JsonNode each : hub.get(ROOT + "versions?namespace=a&id=x").json().get("versions")) {
            assertThat(each.get("until").asLong()).isPositive();
            versions.add(each.at("/value/n").asInt());
        }
        return versions;
    }

    @Test
    void the_last_versions_are_kept_and_come_back() {
        assertThat(versions()).isEmpty();
        for (int n = 1; n <= 6; n++) {
            set(n);
            set(n); // that nothing changed is not a version
        }
        assertThat(versions()).containsExactly(5, 4, 3);
        assertThat(hub.send("POST", ROOT + "undo", X).json().at("/value/n").asInt()).isEqualTo(5);
        assertThat(versions()).containsExactly(6, 5, 4);
        assertThat(hub.send("POST", ROOT + "undo", X).json().at("/value/n").asInt()).isEqualTo(6);
        assertThat(
                        hub.send(
                                        "POST",
                                        ROOT + "undo",
                                        "{\"namespace\":\"a\",\"id\":\"x\",\"version\":2}")
                                .json()
                                .at("/value/n")
                                .asInt())
                .isEqualTo(5);
        assertThat(
                        hub.send(
                                        "POST",
                                        ROOT + "undo",
                                        "{\"namespace\":\"a\",\"id\":\"x\",\"version\":3}")
                                .status())
                .isEqualTo(404);
    }

    @Test
    void what_was_deleted_can_be_brought_back() {
        set(1);
        hub.send("POST", ROOT + "delete", X);
        assertThat(stored()).isEqualTo(-1);
        assertThat(versions()).containsExactly(1);
        hub.send("POST", ROOT + "undo", X);
        assertThat(stored()).isEqualTo(1);
        assertThat(hub.send("POST", ROOT + "mget", "{\"namespace\":\"\"}").json().get("values"))
                .hasSize(1);
    }

    @Test
    void large_versions_are_fewer() {
        String large = "\"" + "x".repeat(100 << 10) + "\"";
        for (int n = 1; n <= 5; n++) {
            hub.send(
                    "POST",
                    ROOT + "set",
                    "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"n\":%d,\"l\":%s}}"
                            .formatted(n, large));
        }
        assertThat(versions()).containsExactly(4, 3);
    }

    // ---------------------------------------------------------------- lines

    @Test
    void what_is_exported_can_be_imported_as_it_is() {
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < 1500; i++) {
            values.append(i == 0 ? "" : ",")
                    .append(
                            "{\"namespace\":\"n%d\",\"id\":\"%d\",\"t\":\"é\"}"
                                    .formatted(i % 5, i));
        }
        hub.send("POST", ROOT + "mset", "{\"values\":[" + values + "]}");
        Reply lines = hub.get(ROOT + "export");
        assertThat(lines.header("content-type")).isEqualTo("application/x-ndjson");
        assertThat(lines.body().lines()).hasSize(1500);
        assertThat(hub.get(ROOT + "export?namespace=n1").body().lines()).hasSize(300);
        String before = hub.send("POST", ROOT + "mget", "{\"namespace\":\"\"}").body();
        hub.send("POST", ROOT + "mdelete", "{\"namespace\":\"\",\"filter\":\"*\"}");
        assertThat(hub.send("POST", ROOT + "import", lines.body()).body())
                .isEqualTo("{\"count\":1500}");
        assertThat(hub.send("POST", ROOT + "mget", "{\"namespace\":\"\"}").body())
                .isEqualTo(before);
    }

    @Test
    void a_line_that_is_no_document_is_named() {
        Reply refused = hub.send("POST", ROOT + "import", X + "\n\n{\"id\":\"y\"}\n");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().at("/detail/0/loc").toString())
                .isEqualTo("[\"body\",2,\"namespace\"]");
    }
}
