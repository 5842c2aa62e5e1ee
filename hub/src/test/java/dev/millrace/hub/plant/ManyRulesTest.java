package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;

import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** Many who change rules of one channel, while its values go back and forth, are not refused. */
class ManyRulesTest {
    private static final int CONNECTIONS = 8;
    private static final int RULES = Boolean.getBoolean("millrace.full") ? 100 : 8;

    @Test
    void eight_connections_make_rules_on_one_channel_at_once() {
        try (Plant plant = Plant.empty()) {
            Set<String> refused = ConcurrentHashMap.newKeySet();
            AtomicBoolean done = new AtomicBoolean();
            plant.client().rule("hot", 1, 101, ">", "");
            try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int writer = 0; writer < 4; writer++) {
                    var _ = others.submit(() -> crossing(plant.client(), done));
                }
                try (ExecutorService makers = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (int maker = 0; maker < CONNECTIONS; maker++) {
                        int mine = maker;
                        var _ = makers.submit(() -> rules(plant.client(), mine, refused));
                    }
                }
                done.set(true);
            }
            assertThat(refused).isEmpty();
            int made = CONNECTIONS * RULES - CONNECTIONS;
            assertThat(plant.client().get("/api/alarm-rules").path("total").asInt())
                    .isEqualTo(made + 1);
            assertThat(plant.hub().keyspace().check().run().findings()).isEmpty();
        }
    }

    private static void crossing(Client client, AtomicBoolean done) {
        for (int i = 0; !done.get(); i++) {
            client.value(1, 101, i % 2 == 0 ? "90" : "20");
        }
    }

    private static void rules(Client client, int maker, Set<String> refused) {
        for (int i = 0; i < RULES; i++) {
            String id = "r" + maker + "." + i;
            must(201, client.send("POST", "/api/alarm-rules", text(id, 102)), refused);
            must(200, client.send("PUT", "/api/alarm-rules/" + id, text(id, 103)), refused);
        }
        must(200, client.send("DELETE", "/api/alarm-rules/r" + maker + ".0", ""), refused);
    }

    private static String text(String id, int point) {
        return Client.ruleText(id, 1, point, ">", "");
    }

    private static void must(int status, Reply reply, Set<String> refused) {
        if (reply.status() != status) {
            refused.add(reply.status() + " " + reply.body());
        }
    }

    @Test
    void many_connections_configure_channels_at_once() {
        try (Plant plant = Plant.empty()) {
            Set<String> refused = ConcurrentHashMap.newKeySet();
            try (ExecutorService makers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int maker = 0; maker < CONNECTIONS; maker++) {
                    int mine = maker;
                    var _ = makers.submit(() -> channels(plant.client(), mine, refused));
                }
            }
            assertThat(refused).isEmpty();
            assertThat(plant.somebody().text("config:version"))
                    .isEqualTo(Integer.toString(CONNECTIONS * RULES));
        }
    }

    private static void channels(Client client, int maker, Set<String> refused) {
        for (int i = 0; i < RULES; i++) {
            int id = 1 + maker * RULES + i;
            String text = "{\"id\":%d,\"name\":\"c\",\"protocol\":\"can\"}".formatted(id);
            must(201, client.send("POST", "/api/channels", text), refused);
        }
    }
}
