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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What is announced, row by row, and how somebody follows it without a gap. */
@OnEachSite
final class ChangesTest {
    @Parameter Site site;

    private static final String ROOT = DocumentsTest.ROOT;

    private TestHub hub;
    private String place = "";

    String url() {
        return site.url();
    }

    @BeforeEach
    void start() {
        String url = url();
        SharedServers.flushAll();
        hub = TestHub.start(url, "mqtt.embedded.port=off");
        place = hub.get(ROOT + "changes").json().get("next").asString();
    }

    @AfterEach
    void nothingHasDrifted() {
        try {
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        } finally {
            hub.close();
        }
    }

    private Reply post(String call, String body) {
        Reply reply = hub.send("POST", ROOT + call, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply;
    }

    /** What came since the last time, without number and time, in the order of the namespaces. */
    private List<String> news(String... parameters) {
        Reply reply = hub.get(ROOT + "changes?since=" + place + String.join("", parameters));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        place = reply.json().get("next").asString();
        List<String> news = new ArrayList<>();
        for (JsonNode change : reply.json().get("changes")) {
            assertThat(change.get("seq").asLong()).isPositive();
            assertThat(change.get("at").asLong()).isPositive();
            news.add(
                    change.get("namespace").asString()
                            + " "
                            + (change.has("changed")
                                    ? "changed " + change.get("changed")
                                    : "deleted " + change.get("deleted")));
        }
        news.sort(null);
        return news;
    }

    private static String document(String namespace, String id) {
        return "{\"namespace\":\"%s\",\"id\":\"%s\"}".formatted(namespace, id);
    }

    @Test
    void every_set_is_announced_whether_it_changes_anything_or_not() {
        for (int i = 0; i < 2; i++) {
            post("set", "{\"value\":" + document("a", "x") + "}");
            assertThat(news()).containsExactly("a changed [" + document("a", "x") + "]");
        }
        post("get", document("a", "x"));
        post("mget", "{\"namespace\":\"a\"}");
        post("mset", "{\"values\":[]}");
        hub.send("POST", ROOT + "set", "{\"value\":{}}");
        assertThat(news()).isEmpty();
    }

    @Test
    void several_are_announced_once_for_each_top_level_namespace_in_key_order() {
        post(
                "mset",
                "{\"values\":[%s,%s,%s,%s,%s]}"
                        .formatted(
                                document("a:sub", "1"),
                                document("b", "1"),
                                document("a", "2"),
                                document("", "a"),
                                document("a-b", "3")));
        assertThat(news())
                .containsExactly(
                        "a changed [%s,%s,%s]"
                                .formatted(
                                        document("", "a"),
                                        document("a", "2"),
                                        document("a:sub", "1")),
                        "a-b changed [" + document("a-b", "3") + "]",
                        "b changed [" + document("b", "1") + "]");
    }

    @Test
    void the_same_key_twice_is_listed_twice_in_the_order_of_the_request() {
        post(
                "mset",
                "{\"values\":[{\"namespace\":\"a\",\"id\":\"x\",\"n\":2},"
                        + "{\"namespace\":\"a\",\"id\":\"x\",\"n\":1}]}");
        assertThat(news())
                .containsExactly(
                        "a changed [{\"namespace\":\"a\",\"id\":\"x\",\"n\":2},"
                                + "{\"namespace\":\"a\",\"id\":\"x\",\"n\":1}]");
    }

    @Test
    void what_was_deleted_is_announced_with_all_keys_asked_for_there() {
        post(
                "mset",
                "{\"values\":[%s,%s,%s,%s]}"
                        .formatted(
                                document("a", "id1"),
                                document("a", "id2"),
                                document("", "x"),
                                document("", ":y")));
        news();
        post("mdelete", "{\"namespace\":\"a\",\"ids\":[\"id3\",\"id2\",\"id1\",\"/#\\\"\"]}");
        assertThat(news())
                .containsExactly("a deleted [\"a:/#\\\"\",\"a:id1\",\"a:id2\",\"a:id3\"]");
        post("delete", document("", "x"));
        post("delete", document("", ":y"));
        assertThat(news()).containsExactly(" deleted [\":y\"]", "x deleted [\"x\"]");
        post("delete", document("a", "id1"));
        post("delete", document("a/#", "x"));
        post("mdelete", "{\"namespace\":\"a\",\"filter\":\"*\"}");
        post("mdelete", "{\"namespace\":\"a\"}");
        post("mdelete", "{\"namespace\":\"a\",\"ids\":[]}");
        assertThat(news()).isEmpty();
    }

    @Test
    void a_listener_may_ask_for_one_namespace() {
        post(
                "mset",
                "{\"values\":[%s,%s,%s]}"
                        .formatted(document("a", "1"), document("a:b", "2"), document("ab", "3")));
        String before = place;
        assertThat(news("&namespace=a")).hasSize(1).first().asString().contains("a:b", "\"1\"");
        place = before;
        assertThat(news("&namespace=a:b"))
                .containsExactly("a changed [" + document("a:b", "2") + "]");
        place = before;
        assertThat(news("&namespace=c")).isEmpty();
    }

    @Test
    void whoever_loads_and_follows_from_there_misses_nothing() {
        String loaded = post("mget", "{\"namespace\":\"a\"}").header("x-datastore-seq");
        post("set", "{\"value\":" + document("a", "x") + "}");
        place = loaded;
        assertThat(news()).contains("a changed [" + document("a", "x") + "]");
        String own =
                post("set", "{\"value\":" + document("a", "y") + "}").header("x-datastore-seq");
        post("set", "{\"value\":" + document("a", "z") + "}");
        place = own;
        assertThat(news()).containsExactly("a changed [" + document("a", "z") + "]");
    }

    @Test
    void a_long_poll_waits_for_what_it_asks_for() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<String>> waiting = threads.submit(() -> news("&wait=60&namespace=b"));
            post("set", "{\"value\":" + document("a", "x") + "}");
            post("set", "{\"value\":" + document("b", "x") + "}");
            assertThat(waiting.get()).containsExactly("b changed [" + document("b", "x") + "]");
        }
    }

    @Test
    void a_place_of_another_time_is_gone_and_nonsense_is_refused() {
        Reply gone =
                hub.get(
                        ROOT
                                + "changes?since="
                                + new dev.millrace.keyspace.feed.FeedCursor(
                                                "other",
                                                java.util.Collections.nCopies(
                                                        url().startsWith("redis-cluster") ? 64 : 1,
                                                        0L))
                                        .text());
        assertThat(gone.status()).isEqualTo(410);
        assertThat(gone.json().get("detail").asString()).contains("Load the documents again");
        assertThat(hub.get(ROOT + "changes?since=nonsense").status()).isEqualTo(400);
        assertThat(hub.get(ROOT + "changes?wait=100").status()).isEqualTo(400);
    }

    @Test
    void a_stream_tells_one_change_after_another_with_its_place() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(hub.url() + ROOT + "changes"))
                        .header("Accept", "text/event-stream")
                        .build();
        try (HttpClient client = HttpClient.newHttpClient();
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        client.send(request, BodyHandlers.ofInputStream()).body(),
                                        StandardCharsets.UTF_8))) {
            assertThat(event(lines).getFirst()).isEqualTo("event: ready");
            post("set", "{\"value\":" + document("a", "x") + "}");
            post("delete", document("a", "x"));
            List<String> changed = event(lines);
            assertThat(changed.get(0)).isEqualTo("event: change");
            assertThat(changed.get(2)).contains("\"changed\":[" + document("a", "x") + "]");
            assertThat(event(lines).get(2)).contains("\"deleted\":[\"a:x\"]");
            place = changed.get(1).substring("id: ".length());
            assertThat(news()).containsExactly("a deleted [\"a:x\"]");
            client.shutdownNow();
        }
    }

    private static List<String> event(BufferedReader lines) throws IOException {
        List<String> event = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty() && !event.isEmpty()) {
                return event;
            }
            if (!line.isEmpty() && !line.startsWith(":")) {
                event.add(line);
            }
        }
        throw new IOException("The stream has ended.");
    }

    @Test
    void the_last_event_of_many_writers_is_what_is_stored() throws Exception {
        for (int round = 0; round < 20; round++) {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int writer = 0; writer < 8; writer++) {
                String body =
                        "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"w\":%d,\"n\":%%d}}"
                                .formatted(writer);
                writers.add(
                        CompletableFuture.runAsync(
                                () -> {
                                    for (int i = 0; i < 100; i++) {
                                        post("set", body.formatted(i));
                                    }
                                },
                                Thread::startVirtualThread));
            }
            CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();
            List<JsonNode> all = new ArrayList<>();
            boolean more = true;
            while (more) {
                JsonNode page = hub.get(ROOT + "changes?since=" + place).json();
                page.get("changes").forEach(all::add);
                place = page.get("next").asString();
                more = page.get("more").asBoolean();
            }
            assertThat(all).hasSize(800);
            assertThat(all.getLast().at("/changed/0"))
                    .isEqualTo(post("get", document("a", "x")).json().get("value"));
        }
    }
}
