package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.access.Decision;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.Talk;
import dev.millrace.hub.live.Pass;

import java.util.List;
import java.util.Optional;

/** {@code /ws} and {@code /ws/v1/realtime}. */
public final class RealtimeApi {
    private static final String CHECK =
            "The token is in the parameter token, in the header Authorization or in the first"
                    + " message, auth; it is looked at again every two seconds. Values need the"
                    + " role viewer in the room telemetry, alarms in the room alarms.";

    private static final String ABOUT =
            "Live values, alarms and events on a WebSocket. Say"
                + " {\"type\":\"subscribe\",\"id\":\"1\",\"data\":{\"channels\":[\"1\"],\"interval\":1000}};"
                + " hear subscribe_ack, then what there is, then what changes, as data_update.";

    private final Realtime realtime;

    public RealtimeApi(Realtime realtime) {
        this.realtime = realtime;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/ws")
                        .withOwnCheck(CHECK)
                        .about(ABOUT)
                        .parameter("token", "A token, where no message is to say it.")
                        .talkingBy((request, talk) -> talk(request, talk, false)),
                Route.get("/ws/v1/realtime")
                        .withOwnCheck(CHECK)
                        .about(ABOUT + " It greets with connection_established.")
                        .parameter("token", "A token, where no message is to say it.")
                        .parameter("client_type", "What the client calls itself; not looked at.")
                        .talkingBy((request, talk) -> talk(request, talk, true)));
    }

    private void talk(Request request, Talk talk, boolean greets) {
        Optional<String> token =
                request.query("token").flatMap(Conversation::token).or(request::token);
        Pass pass = new Pass(realtime.gate(), token, request.peer());
        Decision found = realtime.admit(pass);
        // Without a token it may still say who it is.
        Optional<Decision> decision =
                found instanceof Decision.Admitted || token.isPresent()
                        ? Optional.of(found)
                        : Optional.empty();
        if (!realtime.countIn()) {
            talk.close(
                    Closing.TRY_LATER.code(),
                    "More clients are connected than telemetry.realtime.max-clients; try again"
                            + " later.");
            return;
        }
        talk.loop().execute(() -> Conversation.begin(realtime, talk, pass, decision, greets));
    }
}
