package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.documents.kept.DocumentWrites;
import dev.millrace.hub.mqtt.TestBroker;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** What subscribers hear, also if the broker was away. */
abstract class DocumentEventsContract {
    private static final String ROOT = DocumentsTest.ROOT;
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir private Path directory;
    private TestBroker broker;
    private Listener listener;
    private final Site site;
    private TestHub hub;

    DocumentEventsContract(Site site) {
        this.site = site;
    }

    abstract TestBroker broker(Path where);

    @BeforeEach
    void start() {
        broker = broker(directory);
        listener = new Listener(broker.url());
        String url = site.url();
        SharedServers.flushAll();
        hub = TestHub.start(url, "mqtt.url=" + broker.address());
    }

    @AfterEach
    void stop() {
        hub.close();
        listener.close();
        broker.close();
    }

    private void post(String call, String body) {
        assertThat(hub.send("POST", ROOT + call, body).status()).isEqualTo(200);
    }

    private void set(String namespace, int n) {
        post(
                "set",
                "{\"value\":{\"namespace\":\"%s\",\"id\":\"x\",\"n\":%d}}".formatted(namespace, n));
    }

    private List<String> texts() {
        return listener.heard().stream().map(each -> each.topic() + " " + each.text()).toList();
    }

    @Test
    void a_change_is_one_message_for_each_namespace_and_nothing_but_the_change() {
        post(
                "mset",
                "{\"values\":[{\"namespace\":\"a:sub\",\"id\":\"1\"},{\"namespace\":\"\",\"id\":\"b\"},"
                    + "{\"namespace\":\"\",\"id\":\":c\"}]}");
        await().atMost(LONG).until(() -> listener.heard().size() >= 3);
        post("delete", "{\"namespace\":\"a/#\",\"id\":\"x\"}");
        post("mdelete", "{\"namespace\":\"a\",\"ids\":[\"sub:1\",\"no\"]}");
        await().atMost(LONG).until(() -> listener.heard().size() >= 4);
        assertThat(texts())
                .containsExactlyInAnyOrder(
                        "brewcast/datastore/ {\"changed\":[{\"namespace\":\"\",\"id\":\":c\"}]}",
                        "brewcast/datastore/a"
                                + " {\"changed\":[{\"namespace\":\"a:sub\",\"id\":\"1\"}]}",
                        "brewcast/datastore/b {\"changed\":[{\"namespace\":\"\",\"id\":\"b\"}]}",
                        "brewcast/datastore/a {\"deleted\":[\"a:no\",\"a:sub:1\"]}");
        assertThat(texts().getLast()).contains("deleted");
        assertThat(listener.heard())
                .allMatch(message -> !message.retained() && message.number() > 0);
    }

    @Test
    void what_was_written_while_the_broker_was_away_arrives_in_order() {
        set("a", 0);
        await().atMost(LONG).until(() -> listener.heard().size() == 1);
        broker.stop();
        for (int n = 1; n <= 100; n++) {
            set("a", n);
        }
        broker.start();
        await().atMost(LONG).until(() -> listener.numbers().size() == 101);
        assertThat(listener.numbers()).isEqualTo(LongStream.rangeClosed(1, 101).boxed().toList());
        assertThat(listener.heard().getLast().text()).contains("\"n\":100");
    }

    @Test
    void after_a_restart_of_the_hub_what_was_not_sent_is_sent() {
        broker.stop();
        set("a", 1);
        hub.close();
        broker.start();
        hub = TestHub.start(site.url(), "mqtt.url=" + broker.address());
        set("a", 2);
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(listener.numbers()).containsExactly(1L, 2L));
    }

    @Test
    void a_delete_that_is_no_topic_disturbs_nobody() {
        set("a", 1);
        post("delete", "{\"namespace\":\"a/#\",\"id\":\"x\"}");
        post("mdelete", "{\"namespace\":\"+/#\",\"ids\":[\"x\",\"y\"]}");
        set("a", 2);
        await().atMost(LONG).until(() -> listener.heard().size() >= 2);
        assertThat(listener.numbers()).containsExactly(1L, 2L);
    }

    @Test
    void what_had_to_be_dropped_is_made_up_for_by_all_documents() {
        set("a", 1);
        set("a:b", 2);
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(listener.numbers()).containsExactly(1L, 2L));
        listener.heard().clear();
        loseFacts();
        set("a", 3);
        // All documents, as they were before or after this write, and then the write itself.
        await().atMost(LONG)
                .until(() -> texts().size() >= 2 && texts().getLast().contains("\"n\":3"));
        assertThat(texts().getFirst())
                .startsWith("brewcast/datastore/a {\"changed\":[")
                .contains("\"n\":2", "\"namespace\":\"a:b\"");
    }

    /** As trimming does it when a reader is too far behind. */
    private void loseFacts() {
        String key = "millrace:feed-gaps:" + DocumentWrites.TOPIC.name();
        String feed = "millrace:feed:" + DocumentWrites.TOPIC.name();
        for (String found : site.allKeys()) {
            // In a cluster: in the one shard that has facts.
            if (found.equals(feed) || found.endsWith("}" + feed)) {
                String full = found.replace(feed, key);
                site.command(full, "HSET", full, EventSender.NAME, "1-2");
            }
        }
    }
}
