package dev.millrace.hub.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;

/**
 * What becomes of samples, against the same worked out here: with gaps and texts, in several zones,
 * over a change to summer time; first from the samples alone, then with roll-ups.
 */
@OnEachSite
class AggregationTest {
    private static final long START = Instant.parse("2025-03-28T21:00:00Z").toEpochMilli();
    private static final long END = Instant.parse("2025-03-31T09:00:00Z").toEpochMilli();
    private static final String[] AGGREGATIONS = {
        "avg", "min", "max", "sum", "count", "first", "last", "std", "median", "delta", "twa"
    };
    private static final String[] INTERVALS = {"1m", "7m", "15m", "1h", "6h", "1d", "2d"};
    private static final String[] ZONES = {"UTC", "Europe/Berlin", "Asia/Kolkata"};

    @Parameter private Site site;

    private TestHub hub;
    private final TreeMap<Long, String> samples = new TreeMap<>();
    private final Random random = new Random(7);

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        hub = TestHub.start(site.url(), "history.keep-age=3650d", "history.record.on=false");
        double value = 100;
        long at = START;
        while (at < END) {
            // An hour at one a second, then few, then none for some hours.
            long hours = (at - START) / 3_600_000;
            long step = hours < 1 ? 1000 : 5_000 + random.nextInt(400_000);
            at += hours == 9 || hours == 33 ? 4 * 3_600_000L : step;
            value += random.nextGaussian();
            boolean text = random.nextInt(50) == 0;
            samples.put(at, text ? "open" : Double.toString(Math.round(value * 100) / 100.0));
        }
        StringBuilder body = new StringBuilder("{\"samples\":[");
        samples.forEach(
                (time, text) ->
                        body.append(body.length() > 12 ? "," : "")
                                .append(
                                        "{\"source\":\"comsrv\",\"id\":1,\"field\":\"1\",\"ts\":%d,\"value\":\"%s\"}"
                                                .formatted(time, text)));
        TestHub.Reply reply =
                hub.send("POST", "/api/history/samples", body.append("]}").toString());
        assertThat(reply.json().at("/data/imported").asInt()).isEqualTo(samples.size());
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    @Test
    void everything_is_as_if_worked_out_by_hand() {
        // The first time from samples, or from what there is of roll-ups; then from all of them.
        compare();
        hub.send(
                "POST",
                "/api/history/rollups/recompute",
                "{\"series\":[\"comsrv:1:1\"],\"start\":%d,\"end\":%d}".formatted(START, END));
        compare();
        await().until(() -> hub.get("/api/history/rollups").json().at("/data/due").asInt() == 0);
        assertThat(hub.get("/api/history/rollups").json().at("/data/windows/1m").asInt())
                .isGreaterThan(59);
        compare();
        assertThat(hub.keyspace().check().run().drift()).isZero();
    }

    private void compare() {
        for (String aggregation : AGGREGATIONS) {
            for (String interval : INTERVALS) {
                for (String zone : ZONES) {
                    compare(aggregation, interval, zone, START, END);
                }
                long from = START + 1_234_567;
                compare(aggregation, interval, "Europe/Berlin", from, END - 7_654_321);
            }
        }
    }

    private void compare(String aggregation, String interval, String zone, long from, long to) {
        String query =
                "/api/history/comsrv/1/1?limit=100000&start=%d&end=%d&aggregation=%s&interval=%s&tz=%s"
                        .formatted(from, to, aggregation, interval, zone);
        JsonNode found = hub.get(query).json().at("/data/samples");
        Map<Long, Double> wanted = byHand(aggregation, interval, ZoneId.of(zone), from, to);
        List<Long> times = new ArrayList<>();
        found.forEach(each -> times.add(each.get("timestamp").asLong()));
        assertThat(times).as(query).containsExactlyElementsOf(wanted.keySet());
        int i = 0;
        for (Map.Entry<Long, Double> each : wanted.entrySet()) {
            assertThat(found.get(i++).get("value").asDouble())
                    .as(query + " at " + each.getKey())
                    .isCloseTo(each.getValue(), within(1e-6));
        }
    }

    private Map<Long, Double> byHand(
            String aggregation, String interval, ZoneId zone, long from, long to) {
        Map<Long, List<Map.Entry<Long, Double>>> windows = new LinkedHashMap<>();
        samples.subMap(from, to)
                .forEach(
                        (at, text) -> {
                            if (!text.equals("open")) {
                                windows.computeIfAbsent(
                                                window(at, interval, zone), w -> new ArrayList<>())
                                        .add(Map.entry(at, Double.valueOf(text)));
                            }
                        });
        Map<Long, Double> all = new LinkedHashMap<>();
        windows.forEach(
                (window, numbers) ->
                        all.put(
                                window,
                                aggregation.equals("twa")
                                        ? overTime(window, interval, zone, numbers, from, to)
                                        : value(aggregation, numbers)));
        return all;
    }

    private static long window(long at, String interval, ZoneId zone) {
        int number = Integer.parseInt(interval.substring(0, interval.length() - 1));
        if (interval.endsWith("d")) {
            long day = Instant.ofEpochMilli(at).atZone(zone).toLocalDate().toEpochDay();
            return begin(day / number * number, zone);
        }
        long length = (interval.endsWith("h") ? 3_600_000L : 60_000L) * number;
        return at / length * length;
    }

    private static long begin(long day, ZoneId zone) {
        return LocalDate.ofEpochDay(day).atStartOfDay(zone).toInstant().toEpochMilli();
    }

    private static long end(long window, String interval, ZoneId zone) {
        int number = Integer.parseInt(interval.substring(0, interval.length() - 1));
        if (interval.endsWith("d")) {
            long day = Instant.ofEpochMilli(window).atZone(zone).toLocalDate().toEpochDay();
            return begin(day + number, zone);
        }
        return window + (interval.endsWith("h") ? 3_600_000L : 60_000L) * number;
    }

    private static double value(String aggregation, List<Map.Entry<Long, Double>> entries) {
        double[] numbers = entries.stream().mapToDouble(Map.Entry::getValue).toArray();
        double mean = Arrays.stream(numbers).average().orElseThrow();
        return switch (aggregation) {
            case "avg" -> mean;
            case "min" -> Arrays.stream(numbers).min().orElseThrow();
            case "max" -> Arrays.stream(numbers).max().orElseThrow();
            case "sum" -> Arrays.stream(numbers).sum();
            case "count" -> numbers.length;
            case "first" -> numbers[0];
            case "last" -> numbers[numbers.length - 1];
            case "delta" -> numbers[numbers.length - 1] - numbers[0];
            case "std" ->
                    Math.sqrt(
                            Arrays.stream(numbers)
                                    .map(each -> (each - mean) * (each - mean))
                                    .average()
                                    .orElseThrow());
            default -> {
                double[] sorted = Arrays.stream(numbers).sorted().toArray();
                int half = sorted.length / 2;
                yield sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
            }
        };
    }

    /** Each value counts until the next one, the one before the window from its beginning on. */
    private double overTime(
            long window,
            String interval,
            ZoneId zone,
            List<Map.Entry<Long, Double>> numbers,
            long from,
            long to) {
        long start = Math.max(window, from);
        long end = Math.min(end(window, interval, zone), to);
        double sum = 0;
        long time = 0;
        OptionalDouble before = before(start);
        long at = start;
        double value = before.orElse(0);
        boolean known = before.isPresent();
        for (Map.Entry<Long, Double> each : numbers) {
            if (known) {
                sum += value * (each.getKey() - at);
                time += each.getKey() - at;
            }
            at = each.getKey();
            value = each.getValue();
            known = true;
        }
        sum += value * (end - at);
        time += end - at;
        return time == 0 ? value : sum / time;
    }

    private OptionalDouble before(long at) {
        return samples.headMap(at, false).descendingMap().entrySet().stream()
                .filter(each -> !each.getValue().equals("open"))
                .filter(each -> each.getKey() >= at - Duration.ofDays(1).toMillis())
                .mapToDouble(each -> Double.parseDouble(each.getValue()))
                .findFirst();
    }
}
