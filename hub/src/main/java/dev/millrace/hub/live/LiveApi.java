package dev.millrace.hub.live;

import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.Stream;
import dev.millrace.hub.http.Talk;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /live} and {@code /live/ws}.
 *
 * <p>Each feed has a role and a room of its own, so the gate is asked for every feed that is named,
 * with the token of the request, and every two seconds again. A browser's {@code EventSource} sends
 * no token; pages use {@code fetch}, which does, and a WebSocket says it in its first message. That
 * leaves no token in an address, where logs and histories would keep it.
 */
final class LiveApi {
    private static final String CHECK =
            "Each feed needs its own role in its own room; the token is looked at for every feed"
                    + " that is named, and again every two seconds.";

    private final Live live;

    LiveApi(Live live) {
        this.live = live;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/live")
                        .withOwnCheck(CHECK)
                        .about(
                                "Feeds as server-sent events: a snapshot where the feed has one,"
                                        + " then every fact as an event of the feed's name. The id"
                                        + " of an event is the place to go on from. Events ready,"
                                        + " reload and bye say where one stands.")
                        .parameter("feeds", "Names of feeds, separated by commas.")
                        .parameter(
                                "after",
                                "The id of the last event seen. The header Last-Event-ID counts"
                                        + " before it.")
                        .givesType("text/event-stream")
                        .streamingBy(this::listen),
                Route.get("/live/ws")
                        .withOwnCheck(CHECK + " A message {\"token\":\"mr_…\"} does too.")
                        .about(
                                "The same on a WebSocket. Say"
                                        + " {\"subscribe\":[\"audit\"],\"after\":\"cursor\"} or"
                                        + " {\"unsubscribe\":[\"audit\"]}; hear"
                                        + " {\"feed\",\"event\",\"data\",\"cursor\"}.")
                        .talkingBy(this::talk));
    }

    static List<String> names(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    private void listen(Request request, Stream stream) {
        Pass pass = new Pass(live.gate(), request.token(), request.peer());
        List<String> names = names(request.query("feeds").orElse(""));
        Map<String, String> after =
                request.header("Last-Event-ID")
                        .filter(id -> !id.isBlank())
                        .or(() -> request.query("after"))
                        .map(Mark::split)
                        .orElse(Map.of());
        live.countIn();
        List<Tail> tails;
        try {
            tails = live.join(names, pass);
        } catch (RuntimeException e) {
            live.metrics().left();
            throw e;
        }
        stream.loop().execute(() -> begin(stream, pass, tails, after));
    }

    private void begin(Stream stream, Pass pass, List<Tail> tails, Map<String, String> after) {
        Crowd crowd = live.crowd(stream.loop());
        SseClient client = new SseClient(crowd, stream, pass);
        for (Tail tail : tails) {
            Optional<String> cursor = Optional.ofNullable(after.get(tail.feed().name()));
            client.subscriptions().add(new FeedFollower(client, tail, cursor));
        }
        stream.whileThere(
                () ->
                        client.attempt(
                                () -> {
                                    crowd.add(client);
                                    client.begin();
                                    List.copyOf(client.subscriptions())
                                            .forEach(FeedFollower::start);
                                    stream.whenStopping(() -> client.end(Client.Ending.STOPPING));
                                }),
                client::closed);
    }

    private void talk(Request request, Talk talk) {
        Pass pass = new Pass(live.gate(), request.token(), request.peer());
        try {
            live.countIn();
        } catch (Problem full) {
            talk.close(Talk.Why.TRY_LATER, full.detail());
            return;
        }
        talk.loop().execute(() -> Conversation.begin(live, talk, pass));
    }
}
