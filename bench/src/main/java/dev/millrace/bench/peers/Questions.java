package dev.millrace.bench.peers;

import dev.millrace.bench.documents.Requests;
import dev.millrace.bench.pubsub.Clients;
import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.HttpLoad.Talker;
import dev.millrace.bench.readings.Bodies;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Makes ready what is asked for, and then the requests themselves. */
final class Questions {
    private static final int ASKED = 100;
    private static final Pattern READING = Pattern.compile("\"name\" *:");
    private static final Pattern DOCUMENT = Pattern.compile("\"feature\" *:");

    private final int connections;

    /** Others may have been here before, and what they left is not to be met again. */
    private final String run = "bench-" + Long.toString(System.currentTimeMillis(), 36);

    private int turn;

    Questions(int connections) {
        this.connections = connections;
    }

    /**
     * Stores what is asked for.
     *
     * @throws IllegalStateException if the server does not answer as it should
     */
    void prepare(Api api, Address server) throws IOException {
        switch (api) {
            case EDGEX -> {
                List<byte[]> events = new ArrayList<>();
                for (int i = 0; i < connections * ASKED / Bodies.READINGS; i++) {
                    events.add(server.post("/api/v1/event", Bodies.event(i % connections)));
                }
                HttpLoad.each(server, events);
                mustHold(server, server.get(latest(connections - 1)), READING);
            }
            case BREWBLOX -> {
                Requests requests = new Requests(server);
                requests.fill();
                mustHold(server, requests.mget(1), DOCUMENT);
                mustHold(server, requests.mgetIds(1), DOCUMENT);
            }
            case DSPS -> {}
        }
    }

    /** Half of an answer must not look like a fast one. */
    private static void mustHold(Address server, byte[] request, Pattern what) throws IOException {
        String[] answer = {""};
        try (HttpLoad load =
                new HttpLoad(
                        nanos -> {},
                        server,
                        List.of(
                                before -> {
                                    answer[0] = before.get();
                                    return request;
                                }))) {
            // The answer to the first is heard when the second is asked for.
            load.run(Long.MAX_VALUE / 2, Double.POSITIVE_INFINITY, 2);
        }
        long found = what.matcher(answer[0]).results().count();
        if (found != ASKED) {
            throw new IllegalStateException(
                    "there are %d of %d in %s"
                            .formatted(
                                    found,
                                    ASKED,
                                    answer[0].substring(0, Math.min(300, answer[0].length()))));
        }
    }

    private static String latest(int device) {
        return "/api/v1/reading/device/%s/%d".formatted(Bodies.device(device), ASKED);
    }

    /** What each connection says in the next turn; what they need is there by then. */
    List<Talker> talkers(Deed deed, Address server) throws IOException {
        Requests documents = new Requests(server);
        return switch (deed) {
            case POST_EVENT -> each(deed, i -> server.post("/api/v1/event", Bodies.event(i)));
            case LATEST, LATEST_ON_ONE -> each(deed, i -> server.get(latest(i)));
            case SET -> each(deed, documents::set);
            case GET -> each(deed, documents::get);
            case MGET -> each(deed, documents::mget);
            case MGET_IDS -> each(deed, documents::mgetIds);
            case PUBLISH -> messages(server, dev.millrace.bench.pubsub.Deed.PUBLISH);
            case FETCH -> messages(server, dev.millrace.bench.pubsub.Deed.FETCH);
            case CYCLE -> messages(server, dev.millrace.bench.pubsub.Deed.CYCLE);
        };
    }

    private List<Talker> each(Deed deed, IntFunction<byte[]> request) {
        return IntStream.range(0, deed.connections(connections))
                .mapToObj(request)
                .<Talker>map(each -> answer -> each)
                .toList();
    }

    private List<Talker> messages(Address server, dev.millrace.bench.pubsub.Deed deed)
            throws IOException {
        Clients clients = new Clients(server, run + "-" + turn++, connections, connections);
        clients.prepare(deed);
        return clients.talkers(deed);
    }
}
