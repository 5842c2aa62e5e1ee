package dev.millrace.hub.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many write the same point at once, over two hubs: each crossing is one alarm, no more, no less.
 */
@OnEachSite
class CrossingsTest {
    private static final int WRITERS = 50;
    private static final int EACH = Boolean.getBoolean("millrace.full") ? 200 : 6;

    private static final int CHANGES = 20;

    @Parameter Site site;

    private final AtomicInteger triggered = new AtomicInteger();
    private final AtomicInteger cleared = new AtomicInteger();

    @Test
    void fifty_writers_on_one_point_leave_a_gapless_story() throws Exception {
        SharedServers.flushAll();
        try (TestHub one = TestHub.start(site.url());
                TestHub two = TestHub.start(site.url())) {
            one.send(
                    "PUT",
                    "/api/alarm-rules/hot",
                    "{\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"threshold\":85}");
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                TestHub hub = i % 2 == 0 ? one : two;
                Random random = new Random(i);
                writers.add(Thread.startVirtualThread(() -> write(hub, random)));
            }
            for (Thread writer : writers) {
                writer.join();
            }
            isWhole(one);
            assertThat(one.keyspace().check().run().findings()).isEmpty();
        }
    }

    @Test
    void what_one_hub_raised_the_other_ends_with_the_very_next_value() {
        SharedServers.flushAll();
        try (TestHub one = TestHub.start(site.url());
                TestHub two = TestHub.start(site.url())) {
            one.send(
                    "PUT",
                    "/api/alarm-rules/hot",
                    "{\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"threshold\":85}");
            for (int i = 0; i < CHANGES; i++) {
                boolean up = i % 2 == 0;
                TestHub.Reply reply =
                        (up ? one : two)
                                .send(
                                        "POST",
                                        "/api/channels/1/T",
                                        up ? "{\"101\":90}" : "{\"101\":80}");
                JsonNode alarms = reply.json().path("data").path("alarms");
                assertThat(alarms.path(up ? "triggered" : "cleared").size())
                        .as(reply.body())
                        .isOne();
            }
        }
    }

    private void write(TestHub hub, Random random) {
        for (int i = 0; i < EACH; i++) {
            TestHub.Reply reply =
                    hub.send(
                            "POST",
                            "/api/channels/1/T",
                            "{\"101\":%d}".formatted(80 + random.nextInt(11)));
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
            JsonNode alarms = reply.json().path("data").path("alarms");
            triggered.addAndGet(alarms.path("triggered").size());
            cleared.addAndGet(alarms.path("cleared").size());
        }
    }

    private void isWhole(TestHub hub) {
        List<JsonNode> events = new ArrayList<>();
        int page = 1;
        JsonNode data;
        do {
            data = hub.get("/api/alarm-events?since_seq=0&page=" + page).json().path("data");
            data.path("items").forEach(events::add);
            page++;
        } while (data.path("has_next").asBoolean());
        long number = events.getFirst().path("seq").asLong();
        int up = 0;
        int down = 0;
        for (JsonNode event : events) {
            assertThat(event.path("seq").asLong()).isEqualTo(number++);
            switch (event.path("type").asString()) {
                case "triggered" -> assertThat(++up).isEqualTo(down + 1);
                case "cleared" -> assertThat(++down).isEqualTo(up);
                default -> {}
            }
        }
        assertThat(up).isEqualTo(triggered.get());
        assertThat(down).isEqualTo(cleared.get());
        assertThat(up).isPositive();
        int active = hub.get("/api/alarms").json().path("data").path("total").asInt();
        assertThat(active).isEqualTo(up - down);
        if (!site.cluster()) {
            assertThat(SharedServers.standalone().command("HGET", "status:system", "active_alarms"))
                    .isEqualTo(Integer.toString(active));
        }
    }
}
