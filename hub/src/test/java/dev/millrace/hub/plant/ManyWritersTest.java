package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Many write the same watched point at once: each crossing of the limit is told exactly once. */
class ManyWritersTest {
    private static final int WRITERS = 50;

    /** All events of it must still be in the list at the end. */
    private static final int WRITES = 12;

    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 20 : 1;

    @Test
    void each_crossing_is_told_once_and_numbers_agree() {
        for (int round = 0; round < ROUNDS; round++) {
            crossing();
        }
    }

    private static void crossing() {
        try (Plant plant = Plant.empty()) {
            Client client = plant.client();
            Somebody somebody = plant.somebody();
            client.rule("hot", 1, 101, ">", "");
            client.rule("cold", 1, 101, "<", "");
            AtomicInteger triggered = new AtomicInteger();
            AtomicInteger cleared = new AtomicInteger();
            try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int writer = 0; writer < WRITERS; writer++) {
                    var _ = writers.submit(() -> write(client, triggered, cleared));
                }
            }
            List<JsonNode> events = new ArrayList<>(somebody.events());
            Collections.reverse(events);
            assertThatTheyAreWithoutGapsAndInTurn(events, "hot");
            assertThatTheyAreWithoutGapsAndInTurn(events, "cold");
            // What the writers were told is what happened.
            assertThat(count(events, "hot", "triggered")).isEqualTo(triggered.get()).isPositive();
            assertThat(count(events, "hot", "cleared")).isEqualTo(cleared.get());
            assertThat(somebody.field("alarm:hot", "count"))
                    .isEqualTo(Integer.toString(triggered.get()));
            assertThatStateAndValueAgree(somebody);
            assertThat(plant.hub().keyspace().check().run().drift()).isZero();
        }
    }

    private static void write(Client client, AtomicInteger triggered, AtomicInteger cleared) {
        for (int i = 0; i < WRITES; i++) {
            String value = ThreadLocalRandom.current().nextBoolean() ? "90" : "20";
            JsonNode alarms = client.value(1, 101, value).path("alarms");
            if (Client.texts(alarms.path("triggered")).contains("hot")) {
                triggered.incrementAndGet();
            }
            if (Client.texts(alarms.path("cleared")).contains("hot")) {
                cleared.incrementAndGet();
            }
        }
    }

    static void assertThatStateAndValueAgree(Somebody somebody) {
        boolean hot = Double.parseDouble(somebody.field("comsrv:1:T", "101")) > 85;
        assertThat(somebody.field("alarm:hot", "status")).isEqualTo(hot ? "active" : "cleared");
        assertThat(somebody.members("idx:alarm:active").contains("hot")).isEqualTo(hot);
        assertThat(somebody.field("status:system", "active_alarms"))
                .isEqualTo(Integer.toString(somebody.members("idx:alarm:active").size()));
    }

    static long count(List<JsonNode> events, String rule, String type) {
        return events.stream()
                .filter(event -> event.path("rule_id").asString("").equals(rule))
                .filter(event -> event.path("type").asString("").equals(type))
                .count();
    }

    /** Oldest first. */
    static void assertThatTheyAreWithoutGapsAndInTurn(List<JsonNode> events, String rule) {
        for (int i = 1; i < events.size(); i++) {
            assertThat(events.get(i).path("seq").asLong(-1))
                    .as(events.toString())
                    .isEqualTo(events.get(i - 1).path("seq").asLong(-1) + 1);
        }
        List<String> types =
                events.stream()
                        .filter(event -> event.path("rule_id").asString("").equals(rule))
                        .map(event -> event.path("type").asString(""))
                        .filter(type -> type.equals("triggered") || type.equals("cleared"))
                        .toList();
        for (int i = 0; i < types.size(); i++) {
            assertThat(types.get(i)).isEqualTo(i % 2 == 0 ? "triggered" : "cleared");
        }
    }
}
