package dev.millrace.hub.access;

import dev.millrace.hub.work.Again;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * API tokens: made, listed, revoked and verified.
 *
 * <p>A request costs no round trip: {@link TokenMirror} keeps all tokens in memory. Making and
 * revoking are one commit each, with an entry in the {@link Audit} and a new generation mark, by
 * which the mirrors of other hubs notice; the mirror here follows before the method returns.
 *
 * <p>Thread-safe. Writing blocks; {@link #verify} does not.
 */
public final class Tokens {
    /** All of them are kept in memory by every hub. */
    public static final int MOST = 10_000;

    /** How far the time of the last use in Redis may be behind. */
    static final Duration COARSE = Duration.ofMinutes(1);

    private static final int PAGE = 500;
    private static final int ATTEMPTS = 16;
    private static final Pattern NAME =
            Pattern.compile("[\\p{L}\\p{N}](?:[\\p{L}\\p{N} ._@-]{0,62}[\\p{L}\\p{N}._@-])?");

    private final Keyspace keyspace;
    private final Audit audit;
    private final InstantSource clock;
    private final Store<StoredToken> store;
    private final TokenMirror mirror;

    /**
     * Tokens on a keyspace.
     *
     * @param nanos time that only goes forward
     */
    public Tokens(Keyspace keyspace, Audit audit, InstantSource clock, LongSupplier nanos) {
        this.keyspace = keyspace;
        this.audit = audit;
        this.clock = clock;
        this.store = keyspace.store(AccessLayouts.TOKENS);
        Store<Generation> generations = keyspace.store(AccessLayouts.GENERATIONS);
        this.mirror =
                new TokenMirror(
                        () -> generations.get(TokenMirror.ABOUT).map(g -> g.value().mark()),
                        this::all,
                        nanos);
    }

    /**
     * What somebody wants to have.
     *
     * @param scopes none means everything
     * @param lifetime none means until it is revoked
     */
    public record Wish(String name, Role role, List<Scope> scopes, Optional<Duration> lifetime) {
        public Wish {
            scopes = List.copyOf(scopes);
        }
    }

    /** A token that was just made, with the only copy of its text. */
    public record Made(Token token, String text) {
        /** Without the secret, since this goes into logs. */
        @Override
        public String toString() {
            return "Made[" + token + "]";
        }
    }

    /** Makes a token. Its text is in the answer and nowhere else. */
    public Outcome<Made> create(Wish wish, Actor by) {
        Optional<String> problem = problemWith(wish);
        if (problem.isPresent()) {
            return Outcome.notDone(Reason.REFUSED, problem.get());
        }
        try {
            if (store.query(AccessLayouts.BY_TIME).count() >= MOST) {
                return Outcome.notDone(
                        Reason.REFUSED,
                        "There are %d tokens already; revoke those that nobody uses."
                                .formatted(MOST));
            }
            Outcome<Made> last = make(wish, by);
            for (int i = 1; i < ATTEMPTS && last.failedBy(Reason.DUPLICATE); i++) {
                Optional<Stored<StoredToken>> namesake =
                        store.find(AccessLayouts.BY_NAME, wish.name());
                if (namesake.isPresent()) {
                    return Outcome.notDone(
                            Reason.DUPLICATE,
                            "There is a token %s already, with the id %s; revoke it or take another name."
                                    .formatted(wish.name(), namesake.get().id()));
                }
                last = make(wish, by); // the id was taken
            }
            return last;
        } catch (RedisException e) {
            return Outcome.failed(e);
        }
    }

    private static Optional<String> problemWith(Wish wish) {
        if (!NAME.matcher(wish.name()).matches()) {
            return Optional.of(
                    "The name of a token is 1 to 64 letters, digits, blanks and . _ @ -, with a"
                            + " letter or digit first.");
        }
        if (wish.scopes().size() > 100) {
            return Optional.of("A token has at most 100 scopes; leave out some.");
        }
        Duration longest = Duration.ofDays(36_500);
        return wish.lifetime()
                .filter(time -> time.compareTo(Duration.ZERO) <= 0 || time.compareTo(longest) > 0)
                .map(time -> "A token lasts at least a second and at most 100 years.");
    }

    private Outcome<Made> make(Wish wish, Actor by) {
        TokenText text = TokenText.random();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        StoredToken token =
                new StoredToken(
                        text.id(),
                        wish.name(),
                        wish.role(),
                        wish.scopes(),
                        HexFormat.of().formatHex(text.hash()),
                        now,
                        by.who(),
                        wish.lifetime().map(now::plus).orElse(null),
                        null);
        Commit commit = keyspace.commitAtSite().create(AccessLayouts.TOKENS, token);
        Outcome<Long> made = announce(commit, by, "token made", token);
        if (made.isStored()) {
            mirror.add(token);
        }
        return made.map(done -> new Made(token.shown(), text.text()));
    }

    /**
     * Revokes a token: it is deleted. ABSENT if there is none.
     *
     * @param idOrText also the whole text: whoever finds a token that leaked has just that
     */
    public Outcome<Token> revoke(String idOrText, Actor by) {
        String id = TokenText.parse(idOrText).map(TokenText::id).orElse(idOrText);
        return Again.until(
                () -> TokenText.isId(id) ? store.get(id) : Optional.empty(),
                () -> {
                    mirror.remove(id);
                    return Outcome.notDone(Reason.ABSENT, absent(id));
                },
                id,
                found -> {
                    StoredToken token = found.value();
                    Commit commit = keyspace.commitAtSite().delete(AccessLayouts.TOKENS, found);
                    Outcome<Long> revoked = announce(commit, by, "token revoked", token);
                    if (revoked.isStored() || revoked instanceof Outcome.Unknown<Long>) {
                        mirror.remove(id);
                    }
                    // Others may have written the time of its last use meanwhile.
                    return revoked.map(done -> token.shown());
                });
    }

    private static String absent(String id) {
        String shown = TokenText.isId(id) ? "with the id " + id : "with that id";
        return "There is no token %s; ./millrace token list shows them.".formatted(shown);
    }

    private Outcome<Long> announce(Commit commit, Actor by, String what, StoredToken token) {
        String mark = UUID.randomUUID().toString();
        commit.put(AccessLayouts.GENERATIONS, new Generation(TokenMirror.ABOUT, mark));
        String about =
                "%s (%s), %s, %s"
                        .formatted(
                                token.name(),
                                token.id(),
                                token.role().word(),
                                token.scopes().isEmpty() ? "everything" : token.scopes());
        return audit.carry(commit, by, what, about, "done").once(mark).run();
    }

    /**
     * All tokens as Redis has them now, oldest first.
     *
     * @throws RedisException if it cannot be asked
     */
    public List<Token> list() {
        return all().stream().map(StoredToken::shown).toList();
    }

    private List<StoredToken> all() {
        List<StoredToken> all = new ArrayList<>();
        Optional<Cursor> next = Optional.empty();
        do {
            Query<StoredToken> query = store.query(AccessLayouts.BY_TIME).oldestFirst().limit(PAGE);
            Page<StoredToken> page = next.map(query::after).orElse(query).page();
            all.addAll(page.values());
            next = page.next();
        } while (next.isPresent());
        return all;
    }

    // ---------------------------------------------------------------- on the hot path

    Verdict verify(String text) {
        return mirror.verify(text, clock.millis());
    }

    /** Whether there is a token of this name that has not expired. */
    boolean knows(String name) {
        return mirror.known().stream().anyMatch(token -> token.isGood(name, clock.millis()));
    }

    /**
     * Looks whether others have made or revoked tokens. Callers at the same time share one look.
     *
     * @throws RedisException if Redis cannot be asked
     */
    void refresh() {
        mirror.refresh();
    }

    /** Writes down when tokens were used last, where that is not known yet to about a minute. */
    void keepLastUse() {
        for (KnownToken token : mirror.known()) {
            long used = token.used();
            if (token.unkept() >= COARSE.toMillis()) {
                Instant moment = Instant.ofEpochMilli(used);
                Outcome<Stored<StoredToken>> outcome =
                        store.update(token.id(), stored -> stored.usedAt(moment));
                if (outcome.isStored()) {
                    token.kept(used);
                } else if (!outcome.failedBy(Reason.ABSENT)) {
                    return; // Redis has other worries; the next minute will do
                }
            }
        }
    }
}
