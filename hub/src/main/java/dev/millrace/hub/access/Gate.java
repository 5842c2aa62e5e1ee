package dev.millrace.hub.access;

import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.settings.Network;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The one place that decides who may pass a {@link Door}.
 *
 * <ul>
 *   <li>Mode open: everybody is an admin, and tokens are not looked at.
 *   <li>A token gives its role and scopes. If the caller's network gives more, it has that too.
 *   <li>Without a token the most specific network decides. A wrong token is refused also where the
 *       network would do: who sends one believes to be somebody.
 *   <li>Wrong tokens make their address, and the token id they name, wait ({@link Guesses}). A
 *       right token passes whatever others have tried from the same address or with the same id:
 *       nobody can lock out those behind the same router or proxy, and with 178 random bits there
 *       is nothing to be gained by trying. (Passwords, once there are any, must ask {@code Guesses}
 *       before they are looked at.)
 *   <li>A door for everybody opens with any token or none, also when Redis is away.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class Gate {
    private static final String NO_TOKEN =
            "This needs a token; an admin makes one with ./millrace token create.";
    private static final String NOT_KNOWN =
            "This token is not known here: it was revoked, mistyped, or is of another site.";

    /** Said to whoever was signed in and is not any more. */
    public static final String SESSION_ENDED = "This session has ended; sign in again.";

    private static final String UNAVAILABLE =
            "Redis cannot be reached, so the token cannot be looked up; try again soon.";

    private final AccessSettings settings;
    private final Tokens tokens;
    private final Guesses guesses;
    private final Refusals refusals;
    private volatile Sessions sessions = Sessions.NONE;

    Gate(AccessSettings settings, Tokens tokens, Guesses guesses, Refusals refusals) {
        this.settings = settings;
        this.tokens = tokens;
        this.guesses = guesses;
        this.refusals = refusals;
    }

    /** From now on the tokens of these sessions count too. */
    public void accept(Sessions known) {
        sessions = known;
    }

    /** Whether tokens decide, and not only the address that the hub listens on. */
    public boolean looksAtTokens() {
        return settings.mode() == Mode.TOKEN;
    }

    /** Whether somebody may do something without a token, just because of where he is. */
    public boolean givesRightsByAddress() {
        return settings.mode() == Mode.OPEN || !settings.networks().isEmpty();
    }

    /**
     * Whether there is still a token, or a network, that callers of this name come by. Where that
     * cannot be known there is.
     */
    public boolean knows(String caller) {
        return tokens.knows(caller)
                || settings.networks().keySet().stream()
                        .anyMatch(network -> networkName(network).equals(caller));
    }

    /**
     * Decides without waiting for anything; for event loops. Empty for a token that nobody here has
     * heard of: then {@link #admit} asks Redis whether it was made a moment ago.
     */
    public Optional<Decision> admitAtOnce(Door door, Optional<String> token, InetAddress peer) {
        if (settings.mode() == Mode.OPEN) {
            return Optional.of(new Decision.Admitted(Caller.ANYONE_HERE));
        }
        Optional<Map.Entry<Network, Role>> network = settings.networkOf(peer);
        if (token.isEmpty()) {
            return Optional.of(withoutToken(door, network));
        }
        if (sessions.isOne(token.get())) {
            return door.needed().isEmpty()
                    ? Optional.of(withoutToken(door, network))
                    : Optional.empty();
        }
        Verdict verdict = tokens.verify(token.get());
        if (verdict instanceof Verdict.Good(Caller caller)) {
            return Optional.of(known(door, caller, network));
        }
        if (door.needed().isEmpty()) {
            return Optional.of(withoutToken(door, network));
        }
        if (verdict instanceof Verdict.Absent(String id) && delayed(peer, id).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(refused(verdict, peer));
    }

    /** Decides; waits for Redis where {@link #admitAtOnce} has no answer. */
    public Decision admit(Door door, Optional<String> token, InetAddress peer) {
        Optional<Decision> atOnce = admitAtOnce(door, token, peer);
        if (atOnce.isPresent()) {
            return atOnce.get();
        }
        try {
            if (sessions.isOne(token.orElse(""))) {
                return signed(door, token.orElse(""), peer);
            }
            tokens.refresh();
        } catch (RedisException e) {
            return new Decision.Unavailable(UNAVAILABLE);
        }
        Verdict verdict = tokens.verify(token.orElse(""));
        return verdict instanceof Verdict.Good(Caller caller)
                ? known(door, caller, settings.networkOf(peer))
                : refused(verdict, peer);
    }

    /** A session ends with the token that it was made with. */
    private Decision signed(Door door, String token, InetAddress peer) {
        return sessions.signed(token)
                .filter(each -> settings.mode() == Mode.OPEN || tokens.knows(each.name()))
                .map(each -> new Caller(each.name(), List.of(Grant.everywhere(each.role()))))
                .map(caller -> known(door, caller, settings.networkOf(peer)))
                .orElseGet(() -> new Decision.Unknown(SESSION_ENDED));
    }

    private static Decision withoutToken(Door door, Optional<Map.Entry<Network, Role>> network) {
        Caller caller = network.map(Gate::callerFrom).orElse(Caller.NOBODY);
        if (door.lets(caller)) {
            return new Decision.Admitted(caller);
        }
        return new Decision.Unknown(
                network.map(
                                there ->
                                        "Without a token the %s is only %s here; this needs %s."
                                                .formatted(
                                                        caller.name(),
                                                        there.getValue().word(),
                                                        word(door)))
                        .orElse(NO_TOKEN));
    }

    private static Caller callerFrom(Map.Entry<Network, Role> network) {
        return new Caller(
                networkName(network.getKey()), List.of(Grant.everywhere(network.getValue())));
    }

    private static String networkName(Network network) {
        return "network " + network;
    }

    private static Decision known(
            Door door, Caller caller, Optional<Map.Entry<Network, Role>> network) {
        Caller whole =
                network.map(there -> caller.and(Grant.everywhere(there.getValue()))).orElse(caller);
        if (door.lets(whole)) {
            return new Decision.Admitted(whole);
        }
        Grant own = caller.grants().getFirst();
        boolean role = door.needed().isEmpty() || own.role().atLeast(door.needed().get());
        return new Decision.Forbidden(
                role
                        ? "The token %s may use %s only, not all of %s."
                                .formatted(caller.name(), words(own.scopes()), door.room())
                        : "This needs the role %s; the token %s is %s."
                                .formatted(word(door), caller.name(), own.role().word()));
    }

    private static String words(List<Scope> scopes) {
        return scopes.stream().map(Scope::toString).collect(Collectors.joining(", "));
    }

    private static String word(Door door) {
        return door.needed().map(Role::word).orElse("nothing");
    }

    private Decision refused(Verdict verdict, InetAddress peer) {
        return switch (verdict) {
            case Verdict.Good good ->
                    throw new IllegalStateException("A good token is not refused.");
            case Verdict.Expired(Token token) ->
                    new Decision.Unknown(
                            "The token %s expired at %s; an admin makes another one."
                                    .formatted(
                                            token.name(),
                                            token.expires().map(Object::toString).orElse("?")));
            case Verdict.Unavailable() -> new Decision.Unavailable(UNAVAILABLE);
            case Verdict.Malformed() -> wrong(peer, Optional.empty());
            case Verdict.Wrong(String id) -> wrong(peer, Optional.of(id));
            case Verdict.Absent(String id) -> wrong(peer, Optional.of(id));
        };
    }

    private Decision wrong(InetAddress peer, Optional<String> id) {
        refusals.count(peer);
        Optional<Decision.SlowDown> slow =
                id.map(named -> delayed(peer, named))
                        .orElseGet(() -> guesses.delay(peer).map(Decision.SlowDown::new));
        if (slow.isPresent()) {
            return slow.get();
        }
        guesses.failed(peer);
        id.ifPresent(guesses::failed);
        return new Decision.Unknown(NOT_KNOWN);
    }

    /** The longer of the two delays. */
    private Optional<Decision.SlowDown> delayed(InetAddress peer, String id) {
        return Stream.of(guesses.delay(peer), guesses.delay(id))
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .map(Decision.SlowDown::new);
    }
}
