package dev.millrace.hub.site;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;

import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Signing in, for clients that expect a login: the user is the name of an API token, the password
 * the token. What they get is a session, which ends by itself.
 */
final class AuthApi {
    private static final String ROOM = SiteRoom.NAME;
    private static final String SCHEME = "Bearer ";

    private final Gate gate;
    private final SessionKeys sessions;

    AuthApi(Gate gate, SessionKeys sessions) {
        this.gate = gate;
        this.sessions = sessions;
    }

    void addTo(EmsRoutes routes) {
        for (String api : List.of("/api/auth", "/api/v1/auth")) {
            routes.post(
                            api + "/login",
                            route ->
                                    route.forAnyone()
                                            .about(
                                                    "Signs in: username is the name of an API"
                                                            + " token, password the token."),
                            this::login)
                    .post(
                            api + "/refresh",
                            route ->
                                    route.forAnyone()
                                            .about("Lets a session last its whole time again."),
                            this::refresh)
                    .post(
                            api + "/logout",
                            route ->
                                    route.needs(Role.VIEWER, ROOM)
                                            .about("Ends the session that it is called with."),
                            this::logout)
                    .get(
                            api + "/profile",
                            route -> route.needs(Role.VIEWER, ROOM).about("Who is asking."),
                            request -> EmsAnswer.ok(user(request.caller())));
        }
    }

    private EmsAnswer login(EmsRequest request) {
        ObjectNode body = request.object();
        String name = body.path("username").asString("");
        String password = body.path("password").asString("");
        if (name.isEmpty() || password.isEmpty()) {
            throw Refused.of(
                            EmsCode.VALIDATION_ERROR,
                            "username and password are needed: the name of an API token, and the"
                                    + " token.")
                    .exception();
        }
        Caller caller =
                switch (gate.admit(
                        Door.of(Role.VIEWER, ROOM), Optional.of(password), request.peer())) {
                    case Decision.Admitted(Caller known) -> known;
                    case Decision.Unknown unknown -> throw wrong();
                    case Decision.Forbidden(String why) ->
                            throw Refused.of(EmsCode.PERMISSION_DENIED, why).exception();
                    case Decision.SlowDown slow ->
                            throw Refused.of(EmsCode.RATE_LIMIT_EXCEEDED, slow.why()).exception();
                    case Decision.Unavailable(String why) ->
                            throw Refused.of(EmsCode.STORE_UNAVAILABLE, why).exception();
                };
        boolean limited = caller.grants().stream().anyMatch(grant -> !grant.scopes().isEmpty());
        if (gate.looksAtTokens() && (!caller.name().equals(name) || sessions.isOne(password))) {
            throw wrong();
        }
        if (limited) {
            throw Refused.of(
                            EmsCode.PERMISSION_DENIED,
                            "A token that is limited to some rooms cannot sign in; use it as it"
                                    + " is.")
                    .exception();
        }
        Role role = caller.role().orElse(Role.VIEWER);
        String user = gate.looksAtTokens() ? caller.name() : "anonymous";
        String token =
                sessions.open(
                        user,
                        role,
                        request.peer().getHostAddress(),
                        request.header("User-Agent").orElse(""));
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("access_token", token);
        view.put("refresh_token", token);
        view.put("token_type", "Bearer");
        view.put("expires_in", sessions.time().toSeconds());
        view.put("user", Map.of("username", user, "roles", List.of(role.word())));
        return EmsAnswer.ok(view);
    }

    private static RefusedException wrong() {
        return Refused.of(EmsCode.INVALID_TOKEN, "This user and password are not known here.")
                .exception();
    }

    private Optional<String> session(EmsRequest request) {
        return request.header("Authorization")
                .filter(text -> text.startsWith(SCHEME))
                .map(text -> text.substring(SCHEME.length()).strip())
                .filter(sessions::isOne);
    }

    private EmsAnswer refresh(EmsRequest request) {
        String given = request.objectOrEmpty().path("refresh_token").asString("");
        String token = given.isEmpty() ? session(request).orElse("") : given;
        if (token.isEmpty()) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, "refresh_token is missing.").exception();
        }
        if (sessions.fields(token).isEmpty()) {
            throw Refused.of(EmsCode.SESSION_EXPIRED, Gate.SESSION_ENDED).exception();
        }
        sessions.renew(token);
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("access_token", token);
        view.put("token_type", "Bearer");
        view.put("expires_in", sessions.time().toSeconds());
        return EmsAnswer.ok(view);
    }

    private EmsAnswer logout(EmsRequest request) {
        session(request).ifPresent(sessions::end);
        return EmsAnswer.ok(Map.of("logged_out", true));
    }

    private static Map<String, Object> user(Caller caller) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("username", caller.name());
        view.put("roles", caller.role().map(role -> List.of(role.word())).orElse(List.of()));
        return view;
    }
}
