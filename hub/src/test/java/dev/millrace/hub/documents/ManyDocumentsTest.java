package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.util.ArrayList;
import java.util.List;

/** A large site: what is asked for is found among all the rest, and nothing else. */
@OnEachSite
final class ManyDocumentsTest {
    @Parameter Site site;

    private static final int NAMESPACES = 100;
    private static final int EACH = 100;

    /** About what one commit takes. */
    private static final int LOT = 1000;

    private TestHub hub;

    String url() {
        return site.url();
    }

    private Reply post(String call, String body) {
        Reply reply = hub.send("POST", DocumentsTest.ROOT + call, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply;
    }

    private static String document(int namespace, int id) {
        return "{\"namespace\":\"space-%d:sub\",\"id\":\"item-%02d\"}".formatted(namespace, id);
    }

    private static String box(List<String> documents) {
        return "{\"values\":[" + String.join(",", documents) + "]}";
    }

    /** Those of a namespace whose number is within these. */
    private static String box(int namespace, int from, int to) {
        List<String> documents = new ArrayList<>();
        for (int id = from; id < to; id++) {
            documents.add(document(namespace, id));
        }
        return box(documents);
    }

    private void fill() {
        List<String> lot = new ArrayList<>();
        for (int i = 0; i < NAMESPACES * EACH; i++) {
            // Across the namespaces, so that every call writes to all of them.
            lot.add(document(i % NAMESPACES, i / NAMESPACES));
            if (lot.size() == LOT) {
                post("mset", box(lot));
                lot.clear();
            }
        }
    }

    private String find(String namespace, String filter) {
        return post("mget", "{\"namespace\":\"%s\",\"filter\":\"%s\"}".formatted(namespace, filter))
                .body();
    }

    private int remove(String namespace, String filter) {
        return post(
                        "mdelete",
                        "{\"namespace\":\"%s\",\"filter\":\"%s\"}".formatted(namespace, filter))
                .json()
                .get("count")
                .asInt();
    }

    @Test
    void a_namespace_among_a_hundred_gives_its_documents_and_no_others() {
        String url = url();
        SharedServers.flushAll();
        hub = TestHub.start(url);
        try {
            fill();
            // space-1 is the beginning of space-10 to space-19, too.
            for (int namespace : List.of(0, 1, 10, 42, 99)) {
                String name = "space-%d:sub".formatted(namespace);
                assertThat(find(name, "*")).isEqualTo(box(namespace, 0, EACH));
                assertThat(find(name, "item-1?")).isEqualTo(box(namespace, 10, 20));
            }
            assertThat(find("space-1", "*")).isEqualTo(box(1, 0, EACH));
            assertThat(remove("space-7:sub", "item-0*")).isEqualTo(10);
            assertThat(find("space-7:sub", "*")).isEqualTo(box(7, 10, EACH));
            assertThat(remove("", "space-8:*")).isEqualTo(EACH);
            assertThat(remove("", "*:item-99")).isEqualTo(NAMESPACES - 1);
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
            assertThat(remove("", "*")).isEqualTo((NAMESPACES - 1) * (EACH - 1) - 10);
            assertThat(find("", "*")).isEqualTo("{\"values\":[]}");
        } finally {
            hub.close();
        }
    }
}
