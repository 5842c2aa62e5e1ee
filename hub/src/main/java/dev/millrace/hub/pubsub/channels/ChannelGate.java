package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.pubsub.config.ChannelBook;
import dev.millrace.hub.pubsub.config.ChannelRules;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.hub.pubsub.jwt.Jwt;
import dev.millrace.hub.pubsub.jwt.JwtRule;

import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Who may do something with a channel. In this order, which clients rely on: is it a name; is it a
 * channel; does every matching rule accept the token; was the token revoked.
 *
 * <p>Where a rule of the channel demands a JWT, that alone decides, in every access mode: the
 * channel's publishers and readers are other people than the users of this hub. A channel without
 * such a rule is behind the hub's own {@link Gate}: open to all in mode open, and in mode token for
 * those with a role in the room {@code pubsub}: a viewer looks, an operator acts. A JWT that is
 * accepted is good for everything, as in the reference. Why so:
 * docs/decisions/0017-pubsub-access.md.
 *
 * <p>Every publish and fetch comes through here, so nothing is looked up or taken apart that the
 * request does not make necessary. Thread-safe.
 */
public final class ChannelGate {
    public static final String ROOM = "pubsub";

    /** The variable of every route of a channel. */
    public static final String CHANNEL = "channel";

    /**
     * After Redis was asked, its connection's thread goes on, for which others wait: to read a body
     * larger than this takes long enough to be worth a thread of its own.
     */
    private static final int PROMPT_BYTES = 16 << 10;

    private static final String SCHEME = "Bearer ";
    private static final Map<Role, Door> DOORS = doors();

    private final PubsubSettings settings;
    private final ChannelBook book;
    private final Revocations revocations;
    private final Gate gate;
    private final InstantSource clock;

    public ChannelGate(
            PubsubSettings settings,
            ChannelBook book,
            Revocations revocations,
            Gate gate,
            InstantSource clock) {
        this.settings = settings;
        this.book = book;
        this.revocations = revocations;
        this.gate = gate;
        this.clock = clock;
    }

    /**
     * Somebody who was let in to a channel.
     *
     * @param rules what applies to the channel
     * @param acts whether this one may change something there. Else it only looks: its reading
     *     acknowledges nothing, moves no cursor, and neither renews the life of a subscriber nor
     *     counts as a sign of life of it, so that nobody can tell from the channel that it was
     *     there
     */
    public record Admitted(ChannelRules rules, boolean acts) {}

    private static Map<Role, Door> doors() {
        Map<Role, Door> doors = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            doors.put(role, Door.of(role, ROOM));
        }
        return doors;
    }

    /**
     * What the caller may do in the channel that a request is about, if it may come in; else it
     * fails with {@link RefusedException}, or with what Redis could not do.
     *
     * @param needed by the hub's own gate
     */
    public CompletionStage<Admitted> admit(Request request, Role needed) {
        String channel = request.variable(CHANNEL);
        if (!MessageNames.isValid(channel)) {
            return refused(new Refused.Invalid("channelID"));
        }
        Optional<ChannelRules> found = book.rules(channel);
        if (found.isEmpty()) {
            return refused(new Refused.NotPermitted(channel));
        }
        ChannelRules rules = found.get();
        Optional<String> token = token(request);
        return rules.jwt().isEmpty()
                ? byGate(rules, request, token, needed)
                : byJwt(rules, request, token);
    }

    /** The text after exactly these letters; anything else is not a token. */
    public static Optional<String> token(Request request) {
        return request.header("Authorization")
                .filter(header -> header.startsWith(SCHEME))
                .map(header -> header.substring(SCHEME.length()));
    }

    private CompletionStage<Admitted> byJwt(
            ChannelRules rules, Request request, Optional<String> token) {
        if (token.isEmpty()) {
            return refused("JWT verification failure: no JWT presented");
        }
        Optional<Jwt> jwt = Jwt.parse(token.get());
        if (jwt.isEmpty()) {
            return refused("JWT verification failure: it is not a JWT");
        }
        for (JwtRule rule : rules.jwt()) {
            Optional<String> why = rule.refusal(jwt.get(), clock.instant());
            if (why.isPresent()) {
                return refused("JWT verification failure: " + why.get());
            }
        }
        return unlessRevoked(new Admitted(rules, true), request, jwt.get());
    }

    private CompletionStage<Admitted> byGate(
            ChannelRules rules, Request request, Optional<String> token, Role needed) {
        Door door = DOORS.getOrDefault(needed, Door.of(needed, ROOM));
        Optional<Decision> known = gate.admitAtOnce(door, token, request.peer());
        if (known.isPresent()) {
            return decided(rules, request, token, known.get());
        }
        return CompletableFuture.supplyAsync(
                        () -> gate.admit(door, token, request.peer()), Thread::startVirtualThread)
                .thenCompose(decision -> decided(rules, request, token, decision));
    }

    private CompletionStage<Admitted> decided(
            ChannelRules rules, Request request, Optional<String> token, Decision decision) {
        return switch (decision) {
            case Decision.Admitted(Caller caller) -> {
                Admitted admitted = new Admitted(rules, caller.may(Role.OPERATOR, ROOM));
                Optional<Jwt> jwt = token.flatMap(Jwt::parse);
                yield jwt.isEmpty()
                        ? CompletableFuture.completedFuture(admitted)
                        : unlessRevoked(admitted, request, jwt.get());
            }
            case Decision.Unknown(String why) -> refused(why);
            case Decision.Forbidden(String why) -> refused(why);
            case Decision.SlowDown slow -> refused(slow.why());
            case Decision.Unavailable unavailable -> refused(new Refused.Undecided(unavailable));
        };
    }

    private CompletionStage<Admitted> unlessRevoked(Admitted admitted, Request request, Jwt jwt) {
        Optional<String> id = jwt.id();
        if (id.isEmpty()) {
            return CompletableFuture.completedFuture(admitted);
        }
        CompletionStage<Boolean> asked = revocations.revoked(id.get());
        Function<Boolean, CompletionStage<Admitted>> decided =
                revoked ->
                        revoked
                                ? refused("JWT verification failure: it was revoked")
                                : CompletableFuture.completedFuture(admitted);
        return request.body().length > PROMPT_BYTES
                ? asked.thenComposeAsync(decided, Thread::startVirtualThread)
                : asked.thenCompose(decided);
    }

    private CompletionStage<Admitted> refused(String reason) {
        return refused(
                new Refused.Unauthorized(
                        settings.discloseAuthRejectionDetail()
                                ? Optional.of(reason)
                                : Optional.empty()));
    }

    private static CompletionStage<Admitted> refused(Refused why) {
        return CompletableFuture.failedFuture(why.exception());
    }
}
