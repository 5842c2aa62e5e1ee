package dev.millrace.hub.shop.visits;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All sessions together: lists of them, how many there are, and the removal of those that nobody
 * uses any more. On a cluster they lie in parts, each of which is asked; the steps of a removal are
 * decided and done within one part.
 */
final class SessionBook {
    private static final Script PAGE = Script.reading(SessionStore.class, "page");
    private static final Script OF_USER = Script.reading(SessionStore.class, "ofUser");
    private static final Script LOOK = Script.reading(SessionStore.class, "look");
    private static final Script FINISH_ALL =
            Script.emptying(SessionStore.class, "finishAll", "session");
    private static final Script CLEAN = Script.emptying(SessionStore.class, "clean", "session");
    private static final Script EXPIRE = Script.emptying(SessionStore.class, "expire", "session");
    private static final Script ADOPT = Script.of(SessionStore.class, "adopt", "session");
    private static final Script STRAYS = Script.emptying(SessionStore.class, "strays", "session");

    /** A script that removes this many takes about a millisecond. */
    static final int MOST_AT_ONCE = 100;

    private final Keyspace keyspace;
    private final SessionSettings settings;
    private final InstantSource clock;
    private final List<String> places;

    /** Where walks over what others wrote go on, by place. */
    private final Map<String, String> adopting = new HashMap<>();

    private final Map<String, String> straying = new HashMap<>();

    SessionBook(Keyspace keyspace, SessionSettings settings, InstantSource clock) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.clock = clock;
        this.places = Everywhere.owners(keyspace);
    }

    // ---------------------------------------------------------------- lists

    /** The place of a session in the list of all, which begins with the one seen last. */
    record Spot(String score, String token) {
        static final Comparator<Spot> LAST_FIRST =
                Comparator.<Spot>comparingDouble(each -> Double.parseDouble(each.score))
                        .thenComparing(each -> each.token.getBytes(UTF_8), Arrays::compareUnsigned)
                        .reversed();
    }

    private record Placed(Spot spot, Session session) {}

    /** Some sessions, and where the next ones begin. */
    record Listed(List<Session> sessions, Optional<Spot> next) {}

    /** Those that were seen last first, behind a place. */
    Listed page(Optional<Spot> after, int most) {
        byte[] score = Words.text(after.map(Spot::score).orElse(""));
        byte[] token = Words.text(after.map(Spot::token).orElse(""));
        List<Placed> found =
                everywhere(
                                owner ->
                                        keyspace.ask(
                                                PAGE,
                                                loginAndRecent(owner),
                                                score,
                                                token,
                                                Words.number(most)))
                        .flatMap(answer -> Words.list(answer).stream())
                        .map(Words::list)
                        .map(flat -> new Placed(spot(flat), session(flat)))
                        .sorted(Comparator.comparing(Placed::spot, Spot.LAST_FIRST))
                        .limit(most)
                        .toList();
        Optional<Spot> next =
                found.size() < most ? Optional.empty() : Optional.of(found.getLast().spot());
        Instant now = clock.instant();
        return new Listed(
                found.stream()
                        .map(Placed::session)
                        .filter(each -> each.livesAt(now, settings.idle()))
                        .toList(),
                next);
    }

    private static Spot spot(List<?> flat) {
        return new Spot(Words.textOf(flat.get(2)), Words.textOf(flat.getFirst()));
    }

    /** The sessions of a user, those that were seen last first. */
    List<Session> ofUser(String user, int most) {
        byte[] now = Words.score(Words.micros(clock));
        return everywhere(
                        owner ->
                                keyspace.ask(
                                        OF_USER,
                                        Stream.concat(
                                                        loginAndRecent(owner).stream(),
                                                        Stream.of(
                                                                VisitsLayouts.OF_USER.of(
                                                                        owner, user)))
                                                .toList(),
                                        Words.text(user),
                                        Words.number(most),
                                        now,
                                        Words.seconds(settings.idle())))
                .flatMap(answer -> Words.list(answer).stream())
                .map(Words::list)
                .map(SessionBook::session)
                .sorted(
                        Comparator.comparing((Session each) -> each.seen().orElse(Instant.EPOCH))
                                .reversed())
                .limit(most)
                .toList();
    }

    /** Ends all sessions of a user. */
    long finishAll(String user) {
        long ended = 0;
        for (String owner : places) {
            List<?> step;
            do {
                List<Cell.Key> keys = new ArrayList<>(keys(owner));
                keys.add(VisitsLayouts.OF_USER.of(owner, user));
                step =
                        Words.list(
                                Words.await(
                                        keyspace.call(
                                                FINISH_ALL,
                                                keys,
                                                Words.text(user),
                                                Words.number(MOST_AT_ONCE))));
                ended += Words.numberOf(step.getFirst());
            } while (Words.numberOf(step.get(1)) == MOST_AT_ONCE);
        }
        return ended;
    }

    // ---------------------------------------------------------------- how it stands

    /**
     * How it stands with all sessions.
     *
     * @param count of tokens with a time, by which they are limited
     * @param unlike whether other programs wrote what is to be taken note of
     * @param due whether the end of some has come
     * @param oldest when the one was seen that was not seen for longest
     */
    record Stand(long count, boolean unlike, boolean due, Optional<Instant> oldest, long cleaned) {}

    Stand look() {
        double now = Double.parseDouble(Words.textOf(Words.score(Words.micros(clock))));
        List<List<?>> parts =
                everywhere(
                                owner -> {
                                    List<Cell.Key> keys = new ArrayList<>(keys(owner));
                                    keys.add(VisitsLayouts.CLEANED.of(owner));
                                    return keyspace.ask(LOOK, keys);
                                })
                        .<List<?>>map(Words::list)
                        .toList();
        long count = 0;
        long cleaned = 0;
        boolean unlike = false;
        boolean due = false;
        Optional<Instant> oldest = Optional.empty();
        for (List<?> part : parts) {
            long logins = Words.numberOf(part.get(0));
            long seen = Words.numberOf(part.get(1));
            count += seen;
            unlike |= logins != seen || logins != Words.numberOf(part.get(2));
            due |= Words.decimal(Words.textOf(part.get(3))).orElse(Double.MAX_VALUE) <= now;
            Optional<Instant> first = Words.time(Words.textOf(part.get(4)));
            if (first.isPresent() && oldest.filter(first.get()::isAfter).isEmpty()) {
                oldest = first;
            }
            cleaned += Words.whole(Words.textOf(part.get(5))).orElse(0);
        }
        return new Stand(count, unlike, due, oldest, cleaned);
    }

    // ---------------------------------------------------------------- removal

    /** What a step did; more is to be done if it was cut short. */
    record Cleaned(long removed, boolean more) {}

    /** Removes sessions that nobody has used for their lifetime. */
    Cleaned expire(int most) {
        long removed = 0;
        boolean more = false;
        for (String owner : places) {
            List<Cell.Key> keys = new ArrayList<>(keys(owner));
            keys.add(VisitsLayouts.CLEANED.of(owner));
            int step = Math.min(most, MOST_AT_ONCE);
            List<?> counts =
                    Words.list(
                            Words.await(
                                    keyspace.call(
                                            EXPIRE,
                                            keys,
                                            Words.number(Words.micros(clock)),
                                            Words.seconds(settings.idle()),
                                            Words.number(step))));
            removed += Words.numberOf(counts.get(1));
            more |= Words.numberOf(counts.get(0)) == step;
        }
        return new Cleaned(removed, more);
    }

    /**
     * Removes those that were seen longest ago, as far as there are more than may be.
     *
     * @param limit how many are kept
     * @param most how many are removed
     */
    Cleaned clean(long limit, int most) {
        long surplus = look().count() - limit;
        if (surplus <= 0) {
            return new Cleaned(0, false);
        }
        int wanted = (int) Math.min(surplus, most);
        Ranking.Top oldest = new Ranking(keyspace, recent()).top(wanted);
        if (oldest.places().isEmpty()) {
            return new Cleaned(0, false);
        }
        byte[] until = Words.text(Double.toString(oldest.places().getLast().score()));
        long removed = 0;
        for (int i = 0; i < places.size(); i++) {
            int share = oldest.shares()[i];
            while (share > 0) {
                int step = Math.min(share, MOST_AT_ONCE);
                removed += clean(places.get(i), limit, step, until);
                share -= step;
            }
        }
        return new Cleaned(removed, surplus > removed && removed > 0);
    }

    private long clean(String owner, long limit, int most, byte[] until) {
        List<Cell.Key> keys = new ArrayList<>(keys(owner));
        keys.add(VisitsLayouts.CLEANED.of(owner));
        // In a cluster nobody knows the number of all in one step; the share says enough there.
        long kept = places.size() == 1 ? limit : 0;
        return Words.numberOf(
                Words.await(
                        keyspace.call(CLEAN, keys, Words.number(kept), Words.number(most), until)));
    }

    /**
     * A step of two walks, over what other programs wrote: sessions without an end get one, and
     * what is left of broken ones goes.
     */
    void takeNote(int most) {
        for (String owner : places) {
            walk(ADOPT, adopting, owner, most);
            walk(STRAYS, straying, owner, most);
        }
    }

    private void walk(Script script, Map<String, String> cursors, String owner, int most) {
        List<?> step =
                Words.list(
                        Words.await(
                                keyspace.call(
                                        script,
                                        keys(owner),
                                        Words.text(cursors.getOrDefault(owner, "0")),
                                        Words.number(most),
                                        Words.number(Words.micros(clock)),
                                        Words.seconds(settings.idle()))));
        cursors.put(owner, Words.textOf(step.getFirst()));
    }

    // ---------------------------------------------------------------- words

    private Stream<@Nullable Object> everywhere(
            Function<String, CompletableFuture<@Nullable Object>> question) {
        List<CompletableFuture<@Nullable Object>> asked = places.stream().map(question).toList();
        return asked.stream().map(Words::await);
    }

    private static Session session(List<?> flat) {
        return Session.of(
                Words.textOf(flat.get(0)),
                Words.textOf(flat.get(1)),
                Words.textOf(flat.get(2)),
                Words.textOf(flat.get(3)),
                Words.textOf(flat.get(4)),
                Map.of());
    }

    private List<Cell.Key> recent() {
        return places.stream().map(VisitsLayouts.RECENT::of).toList();
    }

    private static List<Cell.Key> loginAndRecent(String owner) {
        return List.of(VisitsLayouts.LOGIN.of(owner), VisitsLayouts.RECENT.of(owner));
    }

    private static List<Cell.Key> keys(String owner) {
        return List.of(
                VisitsLayouts.LOGIN.of(owner),
                VisitsLayouts.RECENT.of(owner),
                VisitsLayouts.ENDS.of(owner));
    }
}
