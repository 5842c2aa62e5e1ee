package dev.millrace.hub.shop.visits;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One session over HTTP. */
final class SessionsApi {
    private static final String ROOM = "shop";
    private static final String PATH = "/shop/sessions/{token}";

    /** Larger than any attributes that are kept. */
    private static final long LARGEST_BODY = 2 << 20;

    private static final long LONGEST_TTL = Duration.ofDays(3650).toSeconds();

    private final Sessions sessions;
    private final SessionSettings.Cookie cookie;
    private final Duration cartIdle;

    SessionsApi(Sessions sessions, SessionSettings.Cookie cookie, Duration cartIdle) {
        this.sessions = sessions;
        this.cookie = cookie;
        this.cartIdle = cartIdle;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/shop/sessions")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Makes a session with a new token, which also comes as a cookie.")
                        .takes(NewSession.class)
                        .gives(SessionView.class)
                        .maxBody(LARGEST_BODY)
                        .by(this::create),
                Route.get(PATH)
                        .needs(Role.VIEWER, ROOM)
                        .about("A session, if it lives.")
                        .parameter(
                                "touch",
                                "true: the visitor is here, his session lives longer; that takes"
                                        + " an operator")
                        .gives(SessionView.class)
                        .by(this::get),
                Route.put(PATH)
                        .needs(Role.OPERATOR, ROOM)
                        .about(
                                "The visitor is here: his session is made or lives longer, is"
                                        + " given to the user, and a view of the item counts.")
                        .takes(Visit.class)
                        .gives(SessionView.class)
                        .by(this::put),
                Route.patch(PATH)
                        .needs(Role.OPERATOR, ROOM)
                        .about("Merges a patch into the attributes of a session.")
                        .maxBody(LARGEST_BODY)
                        .gives(SessionView.class)
                        .by(this::patch),
                Route.post(PATH + "/rotate")
                        .needs(Role.OPERATOR, ROOM)
                        .about(
                                "Gives a session a new token, as after a login; views and cart"
                                        + " come along, the old token is dead.")
                        .takes(NewUser.class)
                        .gives(SessionView.class)
                        .by(this::rotate),
                Route.delete(PATH)
                        .needs(Role.OPERATOR, ROOM)
                        .about("Ends a session, if there is one.")
                        .parameter("cart", "keep: the cart stays for a while")
                        .by(this::end));
    }

    private record NewSession(
            @Nullable String user,
            @Nullable Map<String, JsonNode> attributes,
            @Nullable JsonNode ttl) {}

    private record Visit(@Nullable String user, @Nullable String item) {}

    private record NewUser(@Nullable String user) {}

    private Answer create(Request request) {
        NewSession wish =
                request.body().length == 0
                        ? new NewSession(null, null, null)
                        : request.json(NewSession.class);
        Optional<Duration> ttl = ShopErrors.wholeIn(wish.ttl(), "ttl").map(SessionsApi::ttl);
        Map<String, JsonNode> attributes = wish.attributes() == null ? Map.of() : wish.attributes();
        SessionView view = view(sessions.create(ShopErrors.userIn(wish.user()), ttl, attributes));
        return withCookie(Answer.json(201, view), view.token())
                .with("Location", "/shop/sessions/" + view.token());
    }

    private static Duration ttl(BigInteger seconds) {
        if (seconds.signum() <= 0 || seconds.compareTo(BigInteger.valueOf(LONGEST_TTL)) > 0) {
            throw ShopErrors.bad("ttl must be 1 to %d seconds.".formatted(LONGEST_TTL));
        }
        return Duration.ofSeconds(seconds.longValueExact());
    }

    private Answer get(Request request) {
        String token = ShopErrors.token(request);
        boolean touch = request.query("touch").filter(text -> !text.equals("false")).isPresent();
        if (touch && !request.caller().may(Role.OPERATOR, ROOM)) {
            throw Problem.of(Code.FORBIDDEN, "To touch a session takes an operator.");
        }
        Optional<Session> found =
                touch
                        ? sessions.touch(token, false, Optional.empty(), Optional.empty())
                                .map(SessionStore.Touched::session)
                        : sessions.get(token);
        return found.map(this::view).map(Answer::json).orElseThrow(SessionsApi::unknown);
    }

    private Answer put(Request request) {
        String token = ShopErrors.token(request);
        Visit visit = request.json(Visit.class);
        Optional<String> item =
                Optional.ofNullable(visit.item())
                        .filter(text -> !text.isEmpty())
                        .map(text -> ShopErrors.namedIn(text, "item"));
        SessionStore.Touched touched =
                sessions.touch(token, true, ShopErrors.userIn(visit.user()), item)
                        .orElseThrow(SessionsApi::unknown);
        SessionView view = view(touched.session());
        return touched.made()
                ? Answer.json(201, view).with("Location", "/shop/sessions/" + token)
                : Answer.json(view);
    }

    private Answer patch(Request request) {
        String token = ShopErrors.token(request);
        JsonNode body = request.json(JsonNode.class);
        // The attributes alone, or as they stand in the session.
        JsonNode patch =
                body.size() == 1 && body.path("attributes").isObject()
                        ? body.path("attributes")
                        : body;
        if (!(patch instanceof ObjectNode attributes)) {
            throw ShopErrors.bad("The body must be an object: attributes and their new values.");
        }
        return Answer.json(view(sessions.patch(token, attributes)));
    }

    private Answer rotate(Request request) {
        String token = ShopErrors.token(request);
        Optional<String> user =
                request.body().length == 0
                        ? Optional.empty()
                        : ShopErrors.userIn(request.json(NewUser.class).user());
        SessionView view = view(sessions.rotate(token, user).orElseThrow(SessionsApi::unknown));
        return withCookie(Answer.json(view), view.token());
    }

    private Answer end(Request request) {
        String token = ShopErrors.token(request);
        Optional<String> cart = request.query("cart");
        if (cart.isPresent() && !cart.get().equals("keep")) {
            throw Problem.of(Code.BAD_PARAMETER, "cart must be keep, or left out.");
        }
        sessions.finish(token, cart.isPresent(), cartIdle);
        return Answer.empty(204);
    }

    // ---------------------------------------------------------------- answers

    private SessionView view(Session session) {
        return SessionView.of(session, sessions.idle());
    }

    private SessionView view(Sessions.Outcome outcome) {
        return switch (outcome) {
            case Sessions.Outcome.Done(Session session, boolean made) -> view(session);
            case Sessions.Outcome.Absent() -> throw unknown();
            case Sessions.Outcome.Refused(String why) ->
                    throw ShopErrors.of(ShopErrors.Wrong.BEYOND_LIMIT, why);
            case Sessions.Outcome.Overtaken() ->
                    throw Problem.of(
                            Code.CONFLICT, "Others change the same attributes; try again.");
        };
    }

    private Answer withCookie(Answer answer, String token) {
        return answer.with(
                "Set-Cookie",
                cookie.name()
                        + "="
                        + token
                        + "; Path=/; HttpOnly; SameSite=Lax"
                        + (cookie.secure() ? "; Secure" : ""));
    }

    static Problem unknown() {
        return ShopErrors.absent("There is no session with this token.");
    }
}
