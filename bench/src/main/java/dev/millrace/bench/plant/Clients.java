package dev.millrace.bench.plant;

import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.HttpLoad;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Those who write values over HTTP. */
final class Clients {
    /** How many requests a client has ready; then it begins anew. */
    private static final int TURNS = 100;

    private final Address hub;
    private final Field field;

    Clients(Address hub, Field field) {
        this.hub = hub;
        this.field = field;
    }

    /** Does it for so long, each connection with one request in flight; gives how often. */
    long repeat(Deed deed, int connections, long nanos) throws IOException {
        try (HttpLoad load = load(deed, connections, latency -> {})) {
            return load.run(nanos);
        }
    }

    HttpLoad load(Deed deed, int connections, LongConsumer latency) throws IOException {
        List<HttpLoad.Talker> talkers = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            talkers.add(inTurns(requests(deed, i)));
        }
        return new HttpLoad(latency, hub, talkers);
    }

    private static HttpLoad.Talker inTurns(List<byte[]> requests) {
        int[] turn = {0};
        return answer -> requests.get(turn[0]++ % requests.size());
    }

    private List<byte[]> requests(Deed deed, int client) {
        return switch (deed.way()) {
            case PING -> List.of(hub.get("/api/v1/ping"));
            case CROSSING -> crossings(client);
            case HUB -> writes(deed, client);
            case RAW, REPLAY, FUNCTION ->
                    throw new IllegalArgumentException("Not a deed of the hub: " + deed);
        };
    }

    private List<byte[]> writes(Deed deed, int client) {
        List<Integer> channels = field.channelsWith(deed.rules());
        List<byte[]> requests = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            int channel = channels.get((client + turn) % channels.size());
            requests.add(write(channel, Field.body(turn, field.pointsOf(turn, deed.points()))));
        }
        return requests;
    }

    /** Each client has a point of its own, and goes up and down there. */
    private List<byte[]> crossings(int client) {
        List<Integer> channels = field.channelsWith(Field.SOME);
        int channel = channels.get(client % channels.size());
        int point = client / channels.size() % field.points() + 1;
        return List.of(
                write(channel, "{\"" + point + "\":2000000}"),
                write(channel, "{\"" + point + "\":0}"));
    }

    byte[] write(int channel, String body) {
        return hub.post("/api/channels/" + channel + "/T", body);
    }
}
