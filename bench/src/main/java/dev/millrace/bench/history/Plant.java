package dev.millrace.bench.history;

import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.HttpLoad;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/** Channels whose points change with every write. */
record Plant(Address hub, int channels, int points) {
    /** Connections of those who write, each with one request in flight. */
    static final int WRITERS = 8;

    static final JsonMapper JSON = JsonMapper.shared();

    /** Values of all points, others each turn. */
    static String body(int points, long turn) {
        StringBuilder body = new StringBuilder("{");
        for (int point = 1; point <= points; point++) {
            body.append(point == 1 ? "\"" : ",\"").append(point).append("\":");
            body.append(value(point, turn));
        }
        return body.append('}').toString();
    }

    static String value(int point, long turn) {
        return Long.toString(20 + (point * 7L + turn) % 80) + "." + (1 + turn % 9);
    }

    /** Writes for so long; gives how many writes that were. */
    long write(long nanos, double perSecond) throws IOException {
        List<HttpLoad.Talker> talkers = new ArrayList<>();
        long[] turn = {0};
        for (int i = 0; i < WRITERS; i++) {
            talkers.add(
                    answer -> {
                        long now = turn[0]++;
                        return hub.post(
                                "/api/channels/" + (1 + now % channels) + "/T",
                                body(points, now / channels));
                    });
        }
        try (HttpLoad load = new HttpLoad(latency -> {}, hub, talkers)) {
            return load.run(nanos, perSecond);
        }
    }

    /** How many samples the hub has recorded so far. */
    long recorded(HttpClient client) throws IOException, InterruptedException {
        return get(client, "/api/stats").at("/data/total_points_collected").asLong();
    }

    JsonNode get(HttpClient client, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(hub.url(path)).build();
        return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
    }
}
