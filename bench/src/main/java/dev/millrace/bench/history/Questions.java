package dev.millrace.bench.history;

import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.Latencies;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Samples of long ago, brought by import, and questions about them. */
final class Questions {
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long DAY = 24 * 60 * MINUTE;
    private static final int SERIES = 10;
    private static final int AT_ONCE = 20_000;
    private static final long LOOK_MILLIS = 100;
    private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(15);

    private final Address hub;
    private final int part;

    /** Begins a day. */
    private final long start = (System.currentTimeMillis() / DAY - 400) * DAY;

    Questions(Address hub, int part) {
        this.hub = hub;
        this.part = part;
    }

    /** The keys of the hours of the day that has a sample each second. */
    List<String> daysOfSeconds() {
        return IntStream.range(0, Math.max(1, 24 / part))
                .mapToObj(
                        hour ->
                                "history:comsrv:50000:1:"
                                        + DateTimeFormatter.ofPattern("yyyyMMddHH")
                                                .withZone(ZoneOffset.UTC)
                                                .format(
                                                        Instant.ofEpochMilli(
                                                                start + hour * 60L * MINUTE)))
                .toList();
    }

    /** Brings them, and waits until their roll-ups are made. */
    void fill() throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            bring(client, "50000", "1", SECOND, DAY);
            bring(client, "50001", "1", 10 * MINUTE, 365 * DAY);
            for (int i = 1; i <= SERIES; i++) {
                bring(client, "50002", Integer.toString(i), MINUTE, 7 * DAY);
            }
            long deadline = System.nanoTime() + STUCK_NANOS;
            while (due(client) > 0) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("The roll-ups were not made.");
                }
                Thread.sleep(LOOK_MILLIS);
            }
        }
    }

    private long due(HttpClient client) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(hub.url("/api/history/rollups")).build();
        String body = client.send(request, BodyHandlers.ofString()).body();
        JsonNode due = Plant.JSON.readTree(body).at("/data/due");
        return due.asLong(-1);
    }

    private void bring(HttpClient client, String id, String field, long step, long length)
            throws IOException, InterruptedException {
        StringBuilder lines = new StringBuilder();
        int count = 0;
        for (long at = 0; at < length / part; at += step) {
            lines.append("comsrv,%s,%s,%d,%s\n".formatted(id, field, start + at, value(at / step)));
            if (++count % AT_ONCE == 0) {
                send(client, lines);
            }
        }
        send(client, lines);
    }

    /** With two digits after the point, as a device would send it. */
    private static double value(long number) {
        return Math.round(5000 + 3000 * Math.sin(number / 500.0) + number * 31 % 97) / 100.0;
    }

    private void send(HttpClient client, StringBuilder lines)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(hub.url("/api/history/samples"))
                        .header("Content-Type", "text/csv")
                        .POST(BodyPublishers.ofString("source,id,field,ts,value\n" + lines))
                        .build();
        var answer = client.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200 || !answer.body().contains("\"rejected_total\":0")) {
            throw new IllegalStateException("Samples were not taken: " + answer.body());
        }
        lines.setLength(0);
    }

    /** Each so often, one after the other, on one connection. */
    Map<Question, Latencies> ask(int times) throws IOException {
        Map<Question, Latencies> answers = new EnumMap<>(Question.class);
        for (Question question : Question.values()) {
            LongStream.Builder nanos = LongStream.builder();
            int[] asked = {0};
            int warm = Math.max(1, times / 5);
            List<byte[]> request = List.of(request(question));
            try (HttpLoad load =
                    new HttpLoad(
                            hub,
                            request,
                            each -> {
                                if (++asked[0] > warm) {
                                    nanos.add(each);
                                }
                            })) {
                load.run(Long.MAX_VALUE / 2, Double.POSITIVE_INFINITY, (long) warm + times);
            }
            answers.put(question, Latencies.of(nanos.build().toArray()));
        }
        return answers;
    }

    private byte[] request(Question question) {
        return switch (question) {
            case DAY ->
                    hub.get(
                            "/api/history/comsrv/50000/1?aggregation=avg&points=1000&start=%d&end=%d"
                                    .formatted(start, start + DAY));
            case YEAR ->
                    hub.get(
                            "/api/history/comsrv/50001/1?aggregation=avg&interval=1h&limit=10000&start=%d&end=%d"
                                    .formatted(start, start + 365 * DAY));
            case WEEK -> hub.post("/api/history/query", week());
        };
    }

    private String week() {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= SERIES; i++) {
            names.add("\"comsrv:50002:" + i + "\"");
        }
        return "{\"series\":[%s],\"aggregation\":\"avg\",\"points\":1000,\"start\":%d,\"end\":%d}"
                .formatted(String.join(",", names), start, start + 7 * DAY);
    }
}
