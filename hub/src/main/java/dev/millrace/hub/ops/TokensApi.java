package dev.millrace.hub.ops;

import dev.millrace.hub.access.Audit;
import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Grant;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Scope;
import dev.millrace.hub.access.Token;
import dev.millrace.hub.access.Tokens;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.settings.Kind;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** {@code /ops/tokens} and {@code /ops/audit}: who may do what, and who did what. */
final class TokensApi {
    private static final Kind<Duration> TIME = Kind.time(Duration.ofSeconds(1));

    private final Tokens tokens;
    private final Audit audit;
    private final Set<String> scopes;

    /**
     * All of it.
     *
     * @param scopes what a token may be limited to
     */
    TokensApi(Tokens tokens, Audit audit, Set<String> scopes) {
        this.tokens = tokens;
        this.audit = audit;
        this.scopes = Set.copyOf(scopes);
    }

    /** A token without its secret. */
    record View(
            String id,
            String name,
            String role,
            List<String> scopes,
            Instant created,
            String by,
            Optional<Instant> expires,
            Optional<Instant> lastUsed) {

        static View of(Token token) {
            return new View(
                    token.id(),
                    token.name(),
                    token.role().word(),
                    token.scopes().stream().map(Scope::toString).toList(),
                    token.created(),
                    token.by(),
                    token.expires(),
                    token.lastUsed());
        }
    }

    record All(List<View> tokens) {}

    /**
     * A wish.
     *
     * @param role viewer, operator, engineer or admin
     * @param scopes rooms, or namespaces in them; none means everything
     * @param expires after what time, such as {@code 90d}; without it, never
     */
    record Wish(
            @Nullable String name,
            @Nullable String role,
            @Nullable List<String> scopes,
            @Nullable String expires) {}

    /** A new token; its text is here and nowhere else. */
    record Made(View token, String text) {
        @Override
        public String toString() {
            return "Made[" + token + "]";
        }
    }

    record Audits(List<Audit.Entry> entries) {}

    List<Route> routes() {
        return List.of(
                Route.get("/ops/tokens")
                        .needs(Role.ADMIN, "ops")
                        .about("All API tokens, without their secrets.")
                        .gives(All.class)
                        .by(request -> Answer.json(new All(shown(tokens.list())))),
                Route.post("/ops/tokens")
                        .needs(Role.ADMIN, "ops")
                        .about("Makes a token; its text is shown this once.")
                        .takes(Wish.class)
                        .gives(Made.class)
                        .by(this::create),
                Route.delete("/ops/tokens/{id}")
                        .needs(Role.ADMIN, "ops")
                        .about("Revokes a token, at once.")
                        .gives(View.class)
                        .by(this::revoke),
                Route.get("/ops/audit")
                        .needs(Role.ADMIN, "ops")
                        .about("Who changed what, newest first.")
                        .parameter("limit", "how many entries, at most 1000; 100 without it")
                        .gives(Audits.class)
                        .by(this::entries));
    }

    private static List<View> shown(List<Token> all) {
        return all.stream().map(View::of).toList();
    }

    private Answer create(Request request) {
        Wish wish = request.json(Wish.class);
        if (wish.name == null || wish.role == null) {
            throw Problem.of(
                    Code.BAD_BODY,
                    "A token needs a name and a role, for example"
                            + " {\"name\":\"grafana\",\"role\":\"viewer\"}.");
        }
        if (wish.scopes != null && wish.scopes.stream().anyMatch(Objects::isNull)) {
            throw Problem.of(Code.BAD_BODY, "A scope cannot be null; omit it.");
        }
        Tokens.Wish wanted;
        try {
            wanted =
                    new Tokens.Wish(
                            wish.name,
                            Role.parse(wish.role),
                            wish.scopes == null
                                    ? List.of()
                                    : wish.scopes.stream().map(this::scope).toList(),
                            Optional.ofNullable(wish.expires)
                                    .map(text -> TIME.read(List.of(text))));
        } catch (IllegalArgumentException e) {
            throw Problem.of(Code.BAD_BODY, String.valueOf(e.getMessage()));
        }
        if (!mayGive(request.caller(), wanted)) {
            throw Problem.of(
                    Code.FORBIDDEN,
                    "Nobody can give more than he has: this token reaches further than your own.");
        }
        Tokens.Made made = tokens.create(wanted, Audited.actor(request)).orThrow();
        return Answer.json(201, new Made(View.of(made.token()), made.text()));
    }

    private Scope scope(String text) {
        return Scope.parse(text).in(scopes);
    }

    /** An admin of a part must not make himself one of the whole. */
    private static boolean mayGive(Caller caller, Tokens.Wish wish) {
        return caller.grants().stream()
                .anyMatch(
                        grant ->
                                grant.role().atLeast(wish.role())
                                        && (grant.scopes().isEmpty()
                                                || (!wish.scopes().isEmpty()
                                                        && wish.scopes().stream()
                                                                .allMatch(
                                                                        scope ->
                                                                                covers(
                                                                                        grant,
                                                                                        scope)))));
    }

    private static boolean covers(Grant grant, Scope wanted) {
        return grant.scopes().stream()
                .anyMatch(
                        own ->
                                wanted.namespace()
                                        .map(inside -> own.covers(wanted.room(), inside))
                                        .orElseGet(() -> own.covers(wanted.room())));
    }

    private Answer revoke(Request request) {
        Token token = tokens.revoke(request.variable("id"), Audited.actor(request)).orThrow();
        return Answer.json(View.of(token));
    }

    private Answer entries(Request request) {
        return Answer.json(new Audits(audit.latest(request.number("limit", 100, 1, Audit.MOST))));
    }
}
