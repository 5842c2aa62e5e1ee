package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.documents.kept.Glob;
import dev.millrace.keyspace.store.ByteStore;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Random calls, compared with a sorted map; what is announced builds the same map. */
@OnEachSite
final class DocumentsModelTest {
    @Parameter Site site;

    private static final String ROOT = DocumentsTest.ROOT;
    private static final int STEPS = Boolean.getBoolean("millrace.full") ? 4000 : 400;

    private final Random random = new Random(4);
    private final Map<String, String> model = new TreeMap<>(ByteStore::compare);
    private final Map<String, String> followed = new TreeMap<>(ByteStore::compare);
    private TestHub hub;

    String url() {
        return site.url();
    }

    @Test
    void random_calls_agree_with_a_plain_map() {
        String url = url();
        SharedServers.flushAll();
        hub = TestHub.start(url, "mqtt.embedded.port=off", "documents.versions=2");
        try {
            String place = hub.get(ROOT + "changes").json().get("next").asString();
            for (int i = 0; i < STEPS; i++) {
                step(i);
            }
            follow(place);
            assertThat(followed).isEqualTo(model);
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        } finally {
            hub.close();
        }
    }

    private String namespace() {
        return List.of("a", "a:b", "a-b", "b", "", "é").get(random.nextInt(6));
    }

    private String id() {
        return List.of("1", "2", "b:1", "x y", "(3)").get(random.nextInt(5));
    }

    private String document(String namespace, String id, int n) {
        return "{\"namespace\":\"%s\",\"id\":\"%s\",\"n\":%d}".formatted(namespace, id, n);
    }

    private Reply post(String call, String body) {
        Reply reply = hub.send("POST", ROOT + call, body);
        assertThat(reply.status()).as(call + body + reply.body()).isEqualTo(200);
        return reply;
    }

    private void step(int n) {
        String namespace = namespace();
        String id = id();
        String key = Document.key(namespace, id);
        String query = "{\"namespace\":\"%s\",\"id\":\"%s\"}".formatted(namespace, id);
        switch (random.nextInt(7)) {
            case 0, 1 -> {
                post("set", "{\"value\":" + document(namespace, id, n) + "}");
                model.put(key, document(namespace, id, n));
            }
            case 2 -> {
                List<String> documents = new ArrayList<>();
                for (int i = random.nextInt(8); i > 0; i--) {
                    String in = namespace();
                    String called = id();
                    documents.add(document(in, called, n + i));
                    model.put(Document.key(in, called), documents.getLast());
                }
                post("mset", "{\"values\":[" + String.join(",", documents) + "]}");
            }
            case 3 ->
                    assertThat(post("delete", query).json().get("count").asInt())
                            .isEqualTo(model.remove(key) == null ? 0 : 1);
            case 4 ->
                    assertThat(post("get", query).body())
                            .isEqualTo("{\"value\":" + model.get(key) + "}");
            case 5 -> {
                String filter =
                        List.of("*", "?", "b:*", "*1", "[0-9]", "x*").get(random.nextInt(6));
                Glob glob = Glob.of(Document.key(namespace, filter));
                List<String> expected =
                        model.entrySet().stream()
                                .filter(each -> glob.matches(each.getKey()))
                                .map(Map.Entry::getValue)
                                .toList();
                assertThat(
                                post(
                                                "mget",
                                                "{\"namespace\":\"%s\",\"filter\":\"%s\"}"
                                                        .formatted(namespace, filter))
                                        .body())
                        .isEqualTo("{\"values\":[" + String.join(",", expected) + "]}");
            }
            default -> {
                Glob glob = Glob.of(Document.key(namespace, "?"));
                int before = model.size();
                model.keySet().removeIf(glob::matches);
                assertThat(
                                post(
                                                "mdelete",
                                                "{\"namespace\":\"%s\",\"filter\":\"?\"}"
                                                        .formatted(namespace))
                                        .json()
                                        .get("count")
                                        .asInt())
                        .isEqualTo(before - model.size());
            }
        }
    }

    private void follow(String from) {
        String place = from;
        boolean more = true;
        while (more) {
            JsonNode page = hub.get(ROOT + "changes?since=" + place).json();
            for (JsonNode change : page.get("changes")) {
                change.path("changed")
                        .forEach(
                                each ->
                                        followed.put(
                                                Document.key(
                                                        each.get("namespace").asString(),
                                                        each.get("id").asString()),
                                                each.toString()));
                change.path("deleted").forEach(each -> followed.remove(each.asString()));
            }
            place = page.get("next").asString();
            more = page.get("more").asBoolean();
        }
    }
}
