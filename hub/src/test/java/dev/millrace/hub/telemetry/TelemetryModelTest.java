package dev.millrace.hub.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Random configurations, values, restarts and foreign writes beside a plain model of them. */
@OnEachSite
class TelemetryModelTest {
    /** However slow the machine is: the model knows no time. */
    private static final String NEVER_SILENT = "telemetry.offline-after=1d";

    private static final int OPERATIONS = Boolean.getBoolean("millrace.full") ? 10_000 : 400;
    private static final int CHANNELS = 3;
    private static final int POINTS = 4;
    private static final List<String> TYPES = List.of("T", "S");

    /** Above it nothing is believed, where a channel is configured. */
    private static final int HIGHEST = 80;

    /** What is nearer to the value before is not written, where a channel is configured. */
    private static final int BAND = 3;

    @Parameter Site site;

    private record Value(int number, String quality) {}

    /** By channel and type, by point. */
    private final Map<String, Map<Integer, Value>> values = new TreeMap<>();

    /** Configured channels, with the number of the change. */
    private final Map<Integer, Long> configured = new HashMap<>();

    private long version;
    private Random random;
    private TestHub hub;

    @Test
    void values_are_what_the_model_says() {
        SharedServers.flushAll();
        long seed = new Random().nextLong();
        random = new Random(seed);
        hub = TestHub.start(site.url(), NEVER_SILENT);
        try {
            for (int i = 0; i < OPERATIONS; i++) {
                operation();
                if (i % 40 == 39) {
                    compare("seed " + seed + " operation " + i);
                }
                if (i % 150 == 149) {
                    hub.close();
                    hub = TestHub.start(site.url(), NEVER_SILENT);
                }
            }
            compare("seed " + seed);
            assertThat(hub.keyspace().check().run().findings()).as("seed " + seed).isEmpty();
        } finally {
            hub.close();
        }
    }

    private void operation() {
        int channel = 1 + random.nextInt(CHANNELS);
        switch (random.nextInt(20)) {
            case 0 -> configure(channel);
            case 1 -> delete(channel);
            case 2 -> batch();
            case 3, 4 -> foreign(channel);
            default -> write(channel, TYPES.get(random.nextInt(2)));
        }
    }

    private static String at(int channel, String type) {
        return channel + ":" + type;
    }

    private void ok(TestHub.Reply reply, boolean there) {
        assertThat(reply.status() / 100).as(reply.body()).isEqualTo(there ? 2 : 4);
    }

    /** As bodies of JSON, and into the model. */
    private String some(int channel, String type, String said) {
        Map<Integer, Value> model =
                values.computeIfAbsent(at(channel, type), key -> new TreeMap<>());
        StringBuilder body = new StringBuilder("{");
        for (int point = 1; point <= POINTS; point++) {
            if (random.nextBoolean() || (body.length() == 1 && point == POINTS)) {
                int number = random.nextInt(100);
                body.append(body.length() == 1 ? "" : ",")
                        .append("\"%d\":%d".formatted(point, number));
                taken(model, channel, type, point, number, said);
            }
        }
        return body + "}";
    }

    private void taken(
            Map<Integer, Value> model,
            int channel,
            String type,
            int point,
            int number,
            String said) {
        boolean defined = configured.containsKey(channel) && type.equals("T") && point <= 2;
        Value before = model.get(point);
        if (defined && point == 2 && before != null && Math.abs(before.number - number) < BAND) {
            return;
        }
        boolean believed = !defined || point != 1 || number <= HIGHEST;
        model.put(point, new Value(number, said.equals("good") && !believed ? "bad" : said));
    }

    private void write(int channel, String type) {
        String said = random.nextInt(4) == 0 ? "uncertain" : "good";
        String points = some(channel, type, said);
        String body = "{\"points\":%s,\"quality\":\"%s\"}".formatted(points, said);
        ok(hub.send("POST", "/api/channels/" + channel + "/" + type, body), true);
    }

    private void batch() {
        String body =
                "{\"1\":{\"T\":%s,\"S\":%s},\"2\":{\"T\":%s}}"
                        .formatted(
                                some(1, "T", "good"), some(1, "S", "good"), some(2, "T", "good"));
        ok(hub.send("POST", "/api/telemetry/batch", body), true);
    }

    /** A plain HSET, where somebody else is welcome: what nobody watches is simply there. */
    private void foreign(int channel) {
        if (site == Site.CLUSTER || configured.containsKey(channel)) {
            return;
        }
        Map<Integer, Value> model =
                values.computeIfAbsent(at(channel, "S"), key -> new TreeMap<>());
        int point = 1 + random.nextInt(POINTS);
        int number = random.nextInt(100);
        String quality = model.containsKey(point) ? model.get(point).quality : "good";
        String key = "comsrv:" + channel + ":S";
        site.command(key, "HSET", key, Integer.toString(point), Integer.toString(number));
        model.put(point, new Value(number, quality.equals("good") ? "good" : "?"));
    }

    private void configure(int channel) {
        boolean known = configured.containsKey(channel);
        String body =
                """
                {"id":%d,"name":"c%d","protocol":"%s","points":{"T":[
                 {"point_id":1,"max_value":%d},{"point_id":2,"deadband":%d}]}}\
                """
                        .formatted(channel, random.nextInt(1000), protocol(), HIGHEST, BAND);
        TestHub.Reply reply =
                known
                        ? hub.send("PUT", "/api/channels/" + channel, body)
                        : hub.send("POST", "/api/channels", body);
        ok(reply, true);
        long stamp = reply.json().at("/data/_version").asLong();
        assertThat(stamp).isBetween(version, version + 1);
        version = stamp;
        configured.put(channel, stamp);
    }

    private String protocol() {
        return random.nextBoolean() ? "can" : "virtual";
    }

    private void delete(int channel) {
        ok(
                hub.send("DELETE", "/api/channels/" + channel, ""),
                configured.remove(channel) != null && gone(channel));
    }

    private boolean gone(int channel) {
        version++;
        TYPES.forEach(type -> values.remove(at(channel, type)));
        return true;
    }

    private void compare(String when) {
        for (int channel = 1; channel <= CHANNELS; channel++) {
            for (String type : TYPES) {
                Map<Integer, Value> model = values.getOrDefault(at(channel, type), Map.of());
                int there = channel;
                await().untilAsserted(
                                () ->
                                        assertThat(stored(there, type, model))
                                                .as(when + " of " + at(there, type))
                                                .isEqualTo(model));
            }
        }
        JsonNode list = hub.get("/api/channels?size=100").json().at("/data/items");
        Set<Integer> known = new TreeSet<>();
        list.forEach(
                each -> {
                    if (each.path("configured").asBoolean()) {
                        known.add(each.path("id").asInt());
                    }
                });
        assertThat(known).as(when).isEqualTo(new TreeSet<>(configured.keySet()));
    }

    /** What is there; of what others wrote over something doubtful only the number counts. */
    private Map<Integer, Value> stored(int channel, String type, Map<Integer, Value> model) {
        Map<Integer, Value> found = new TreeMap<>();
        TestHub.Reply reply = hub.get("/api/channels/" + channel + "/" + type);
        if (reply.status() == 404) {
            return found;
        }
        for (JsonNode each : reply.json().at("/data/values")) {
            int point = each.path("point_id").asInt();
            Value expected = model.get(point);
            String quality = each.path("quality").asString();
            boolean doubtful = expected != null && expected.quality.equals("?");
            found.put(point, new Value(each.path("value").asInt(), doubtful ? "?" : quality));
            assertThat(each.path("timestamp").isNull()).as(each.toString()).isFalse();
        }
        return found;
    }
}
