package dev.millrace.bench.rules;

import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.WholeHub;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;

/** A day of values, one a second, and how long it takes to rehearse a rule on it. */
final class Rehearsed {
    static final int SAMPLES = 86_400;
    private static final int CHANNEL = 59_990;
    private static final int AT_ONCE = 7_200;
    private static final int SECOND = 1000;
    private static final int OK = 200;

    private final WholeHub hub;

    Rehearsed(WholeHub hub) {
        this.hub = hub;
    }

    /** The times of so many rehearsals, one after the other. */
    Latencies times(int rounds) throws IOException, InterruptedException {
        long end = System.currentTimeMillis() / SECOND * SECOND;
        long start = end - (long) SAMPLES * SECOND;
        long[] nanos = new long[rounds];
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int from = 0; from < SAMPLES; from += AT_ONCE) {
                send(client, "/api/history/samples", samples(start, from));
            }
            String body =
                    """
                    {"start":%d,"end":%d,"rule":{"trigger":"data_change","trigger_mode":"edge",\
                    "condition":{"source":"comsrv:%d:T:1","operator":">","threshold":90},"actions":[{"type":"log","message":"high"}]}}\
                    """
                            .formatted(start, end, CHANNEL);
            for (int i = 0; i < rounds; i++) {
                long began = System.nanoTime();
                String found = send(client, "/api/rules/bench/rehearse", body);
                nanos[i] = System.nanoTime() - began;
                if (!found.contains("\"samples\":" + SAMPLES + ",")) {
                    throw new IllegalStateException(
                            "Not all samples were looked at: " + found.substring(0, 200));
                }
            }
        }
        return Latencies.of(nanos);
    }

    private static String samples(long start, int from) {
        StringBuilder body = new StringBuilder("{\"samples\":[");
        for (int i = from; i < from + AT_ONCE; i++) {
            body.append(i == from ? "" : ",")
                    .append(
                            String.format(
                                    Locale.ROOT,
                                    "{\"source\":\"comsrv\",\"id\":\"%d\",\"field\":\"1\",\"ts\":%d,\"value\":%d.5}",
                                    CHANNEL,
                                    start + (long) i * SECOND,
                                    i * 7 % 100));
        }
        return body.append("]}").toString();
    }

    private String send(HttpClient client, String path, String body)
            throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(
                        HttpRequest.newBuilder(hub.address().url(path))
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
        if (answer.statusCode() != OK) {
            throw new IllegalStateException(path + ": " + answer.body());
        }
        return answer.body();
    }
}
