package dev.millrace.hub.history.batches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.site.SiteKeys;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Batches of samples: made with the samples, taken, acknowledged, and never lost in silence. */
@OnEachSite
class HistoryBatchesTest {
    private static final String PATH = "/api/history/batches";
    private static final Duration RETRY = Duration.ofHours(1);

    @Parameter private Site site;

    /** Runs when a test says so, for those who look after batches. */
    private final AtomicLong ahead = new AtomicLong();

    private TestHub hub;
    private int writes;

    private void start(String... more) {
        List<String> settings =
                new ArrayList<>(
                        List.of("history.record.mode=on_update", "history.batches.on=true"));
        settings.addAll(List.of(more));
        hub = TestHub.start(site.url(), settings.toArray(String[]::new));
    }

    @BeforeEach
    void empty() {
        SharedServers.flushAll();
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private JsonNode list(String query) {
        TestHub.Reply reply = hub.get(PATH + query);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().get("data");
    }

    private JsonNode batch(String id) {
        TestHub.Reply reply = hub.get(PATH + "/" + id);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().get("data");
    }

    private static List<String> ids(JsonNode list) {
        List<String> ids = new ArrayList<>();
        list.get("batches").forEach(each -> ids.add(each.get("batch_id").asString()));
        return ids;
    }

    /** Writes one more value, and gives the id of the batch that it came into. */
    private String made(String channel) {
        List<String> before = ids(list("?limit=100"));
        writes++;
        hub.send("POST", "/api/channels/" + channel + "/T", "{\"101\":" + writes + ".5}");
        await().until(() -> ids(list("?limit=100")).size() > before.size());
        List<String> now = ids(list("?limit=100"));
        now.removeAll(before);
        return now.getFirst();
    }

    private TestHub.Reply acknowledge(String id, String body) {
        return hub.send("POST", PATH + "/" + id + "/acknowledge", body);
    }

    private String key(String id) {
        return site.allKeys().stream()
                .filter(each -> each.endsWith("history:batch:" + id))
                .findAny()
                .orElseThrow();
    }

    private long timeToLive(String id) {
        return Long.parseLong(String.valueOf(site.command(key(id), "PTTL", key(id))));
    }

    private List<JsonNode> failures() {
        List<JsonNode> all = new ArrayList<>();
        hub.get("/api/queues/service?limit=100")
                .json()
                .at("/data/items")
                .forEach(
                        each -> {
                            if (each.path("type").asString("").equals("batch_failed")) {
                                all.add(each);
                            }
                        });
        return all;
    }

    /** Somebody looks after the batches, now and in the time to come that the test names. */
    private BatchKeeper keeper(int most) {
        Keyspace keyspace = hub.keyspace();
        SimpleMeterRegistry figures = new SimpleMeterRegistry();
        Batches batches =
                new Batches(
                        keyspace,
                        new SiteKeys(),
                        new BatchSettings(true, RETRY, RETRY, most),
                        figures,
                        () -> Instant.now().plusMillis(ahead.get()));
        return BatchKeeper.start(keyspace, batches, figures);
    }

    private void record(String channel) {
        hub.send("POST", "/api/channels/" + channel + "/T", "{\"101\":1}");
    }

    @Test
    void what_is_recorded_is_handed_over_and_gone_once_it_is_acknowledged() {
        start();
        hub.send("POST", "/api/channels/1/T", "{\"101\":86.2,\"102\":-3}");
        hub.send("POST", "/api/channels/1/S", "{\"10\":true}");
        await().until(
                        () -> {
                            int points = 0;
                            for (JsonNode each : list("").get("batches")) {
                                points += each.get("point_count").asInt();
                            }
                            return points == 3;
                        });
        StringBuilder lines = new StringBuilder();
        for (String id : ids(list(""))) {
            assertThat(id).matches("batch_[0-9]{10}_[0-9]+");
            lines.append(hub.get("/api/hissrv/history/batches/" + id + "?format=lines").body());
        }
        assertThat(lines.toString().lines())
                .hasSize(3)
                .anyMatch(
                        line ->
                                line.matches(
                                        "telemetry,service=comsrv,channel=1,type=T point_101=86.2"
                                                + " [0-9]{19}"))
                .anyMatch(line -> line.contains(",type=T point_102=-3 "))
                .anyMatch(
                        line ->
                                line.startsWith(
                                        "signal,service=comsrv,channel=1,type=S point_10=1 "));
        String first = ids(list("")).getFirst();
        JsonNode sample = batch(first).at("/samples/0");
        assertThat(sample.propertyNames()).containsExactly("source", "id", "field", "ts", "value");
        assertThat(timeToLive(first)).as("nothing that waits goes by itself").isEqualTo(-1);

        assertThat(acknowledge(first, "{\"status\":\"written\"}").status()).isEqualTo(200);
        assertThat(acknowledge(first, "{\"status\":\"written\"}").status()).isEqualTo(200);
        TestHub.Reply other = acknowledge(first, "{\"status\":\"failed\"}");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.json().at("/error/code").asString()).isEqualTo("INVALID_STATE");
        assertThat(batch(first).get("status").asString()).isEqualTo("written");
        assertThat(batch(first).get("samples")).isEmpty();
        assertThat(batch(first).get("point_count").asInt()).isPositive();
        assertThat(timeToLive(first)).isBetween(1L, RETRY.toMillis());
        assertThat(ids(list(""))).doesNotContain(first);
        assertThat(ids(list("?status=written"))).containsExactly(first);
        assertThat(failures()).isEmpty();
        assertThat(hub.keyspace().check().run().drift()).isZero();
    }

    @Test
    void one_that_somebody_could_not_write_is_told_of_and_keeps_its_samples() {
        start();
        String id = made("1");
        assertThat(acknowledge(id, "{\"status\":\"failed\",\"error\":\"disk full\"}").status())
                .isEqualTo(200);
        assertThat(batch(id).get("error").asString()).isEqualTo("disk full");
        assertThat(batch(id).get("samples").size()).isEqualTo(1);
        assertThat(timeToLive(id)).isPositive();
        assertThat(failures()).hasSize(1);
        assertThat(failures().getFirst().get("batch_id").asString()).isEqualTo(id);
    }

    @Test
    void what_cannot_be_meant_is_refused() {
        start();
        assertThat(acknowledge("batch_1_1", "{\"status\":\"written\"}").status()).isEqualTo(404);
        String id = made("1");
        assertThat(acknowledge(id, "{\"status\":\"created\"}").status()).isEqualTo(400);
        assertThat(hub.get(PATH + "?status=gone").status()).isEqualTo(400);
        assertThat(hub.get(PATH + "?after=x").status()).isEqualTo(400);
        assertThat(hub.get(PATH + "/" + id + "?format=xml").status()).isEqualTo(400);
        assertThat(hub.get(PATH + "/a:b").status()).isEqualTo(404);
    }

    @Test
    void they_come_in_parts_the_oldest_first() {
        start();
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= 7; i++) {
            all.add(made(Integer.toString(i)));
        }
        List<String> found = new ArrayList<>();
        JsonNode part = list("?limit=3");
        found.addAll(ids(part));
        while (!part.get("next").isNull()) {
            part = list("?limit=3&after=" + part.get("next").asString());
            found.addAll(ids(part));
        }
        assertThat(found).containsExactlyElementsOf(all);
    }

    @Test
    void one_that_nobody_acknowledges_is_offered_again_and_then_it_has_failed() {
        start();
        String id = made("1");
        hub.close();
        // From now on, others look after them.
        start("history.batches.on=false");
        try (BatchKeeper keeper = keeper(100)) {
            assertThat(keeper).isNotNull();
            ahead.set(RETRY.toMillis());
            await().until(() -> batch(id).get("attempts").asInt() == 2);
            assertThat(ids(list(""))).containsExactly(id);
            assertThat(timeToLive(id)).isEqualTo(-1);
            assertThat(failures()).isEmpty();
            ahead.set(2 * RETRY.toMillis());
            await().until(() -> batch(id).get("status").asString().equals("failed"));
        }
        assertThat(batch(id).get("samples").size()).isEqualTo(1);
        assertThat(timeToLive(id)).isBetween(1L, RETRY.toMillis());
        assertThat(ids(list("?status=failed"))).containsExactly(id);
        assertThat(failures()).hasSize(1);
        assertThat(failures().getFirst().get("point_count").asInt()).isEqualTo(1);
        assertThat(acknowledge(id, "{\"status\":\"written\"}").status()).isEqualTo(409);
        // What is over is forgotten.
        site.command(key(id), "DEL", key(id));
        ahead.set(4 * RETRY.toMillis());
        try (BatchKeeper keeper = keeper(100)) {
            assertThat(keeper).isNotNull();
            await().until(() -> list("?status=failed").get("total").asInt() == 0);
        }
        assertThat(site.allKeys()).noneMatch(key -> key.contains("hissrv:batches"));
    }

    @Test
    void where_too_many_wait_the_oldest_have_failed_and_recording_goes_on() {
        start("history.batches.most=3");
        for (int i = 1; i <= 9; i++) {
            record(Integer.toString(i));
            int channel = i;
            await().until(
                            () ->
                                    hub.get("/api/history/comsrv/" + channel + "/101")
                                                    .json()
                                                    .at("/data/samples")
                                                    .size()
                                            == 1);
        }
        await().until(() -> list("").get("total").asInt() == 3);
        JsonNode failed = list("?status=failed&limit=100");
        assertThat(failed.get("total").asInt()).isEqualTo(6);
        assertThat(failures()).hasSize(6);
        for (String id : ids(failed)) {
            assertThat(batch(id).get("samples")).isEmpty();
            assertThat(batch(id).get("error").asString()).startsWith("More than 3 batches waited");
        }
        for (String id : ids(list(""))) {
            assertThat(batch(id).at("/samples/0/id").asInt()).isGreaterThan(6);
        }
    }

    @Test
    void one_that_somebody_removed_is_told_of_too() {
        start();
        String id = made("1");
        hub.close();
        start("history.batches.on=false");
        site.command(key(id), "DEL", key(id));
        ahead.set(RETRY.toMillis());
        try (BatchKeeper keeper = keeper(100)) {
            assertThat(keeper).isNotNull();
            await().until(() -> list("").get("total").asInt() == 0);
        }
        assertThat(failures()).hasSize(1);
        assertThat(failures().getFirst().get("batch_id").asString()).isEqualTo(id);
    }
}
