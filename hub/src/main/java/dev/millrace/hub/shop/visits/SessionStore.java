package dev.millrace.hub.shop.visits;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sessions and views in Redis, on the keys of the second key description. Each operation is one
 * script, so no program ever finds half a session: a login without a time, a time without a login.
 * A login that another program made, without anything of ours, is a session.
 *
 * <p>On a cluster all that belongs to a token lives together; the popularity of an item lives with
 * the item, and is counted there by a second call.
 */
final class SessionStore {
    private static final Script TOUCH = Script.of(SessionStore.class, "touch", "session");
    private static final Script GET = Script.reading(SessionStore.class, "get");
    private static final Script ATTRIBUTES = Script.of(SessionStore.class, "attributes", "session");
    private static final Script ROTATE = Script.of(SessionStore.class, "rotate", "session");
    private static final Script FINISH = Script.emptying(SessionStore.class, "finish", "session");

    private final Keyspace keyspace;
    private final SessionSettings settings;
    private final ViewSettings views;
    private final PopularStore popular;
    private final InstantSource clock;

    SessionStore(
            Keyspace keyspace,
            SessionSettings settings,
            ViewSettings views,
            PopularStore popular,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.views = views;
        this.popular = popular;
        this.clock = clock;
    }

    /**
     * What a visitor does.
     *
     * @param make whether a session is made if there is none
     * @param user whom it is given to; empty to leave that as it is
     * @param item what is looked at
     * @param ttl of a new session
     * @param attributes of a new session, JSON by name
     */
    record Touch(
            boolean make,
            Optional<String> user,
            Optional<String> item,
            Optional<Duration> ttl,
            Map<String, String> attributes) {
        static Touch of(boolean make, Optional<String> user, Optional<String> item) {
            return new Touch(make, user, item, Optional.empty(), Map.of());
        }
    }

    /**
     * What came of it.
     *
     * @param made whether the session is new
     * @param viewed when the item was looked at
     * @param counted whether that made it more popular
     */
    record Touched(Session session, boolean made, Instant viewed, boolean counted) {}

    /** Empty if there is no session, and none was to be made. */
    Optional<Touched> touch(String token, Touch touch) {
        String item = touch.item().orElse("");
        boolean together = !item.isEmpty() && keyspace.liveTogether(token, item);
        List<Cell.Key> keys = ofToken(token);
        if (together) {
            // Where they live together, it is in the token's place as well as in the item's.
            keys.add(VisitsLayouts.POPULAR.of(token));
        }
        List<byte[]> args = new ArrayList<>();
        args.add(Words.text(token));
        args.add(Words.flag(touch.make()));
        args.add(Words.flag(touch.user().isPresent()));
        args.add(Words.text(touch.user().orElse("")));
        args.add(Words.number(Words.micros(clock)));
        args.add(Words.seconds(settings.idle()));
        args.add(touch.ttl().map(Words::seconds).orElse(new byte[0]));
        args.add(Words.text(item));
        args.add(Words.number(views.kept()));
        args.add(Words.number(views.window().toNanos() / 1000));
        args.add(Words.number(popular.most()));
        touch.attributes()
                .forEach(
                        (name, value) -> {
                            args.add(Words.text(name));
                            args.add(Words.text(value));
                        });
        List<?> answer = Words.list(call(TOUCH, keys, args));
        if (answer.isEmpty()) {
            return Optional.empty();
        }
        boolean counted = !item.isEmpty() && Words.numberOf(answer.get(2)) == 1;
        if (counted && !together) {
            popular.count(item);
        }
        long at = Long.parseLong(Words.textOf(answer.get(1)));
        return Optional.of(
                new Touched(
                        session(token, answer.subList(3, answer.size())),
                        Words.numberOf(answer.get(0)) == 1,
                        Words.instant((double) at / 1_000_000),
                        counted));
    }

    /** The session, if it lives; leaves no trace. */
    Optional<Session> get(String token) {
        Object answer =
                Words.await(
                        keyspace.ask(
                                GET,
                                List.of(
                                        VisitsLayouts.LOGIN.of(token),
                                        VisitsLayouts.RECENT.of(token),
                                        VisitsLayouts.SESSION.at(token)),
                                Words.text(token),
                                Words.score(Words.micros(clock)),
                                Words.seconds(settings.idle())));
        return found(token, answer);
    }

    /**
     * A change of an attribute.
     *
     * @param expected what it must be now: empty for anything, else a value, which may be null for
     *     none
     * @param value JSON; null to remove it
     */
    record Change(String name, Optional<Expected> expected, @Nullable String value) {}

    /** What an attribute is read as; null if there is none. */
    record Expected(@Nullable String value) {}

    /** What became of a change of attributes. */
    sealed interface Changed {
        record Done(Session session) implements Changed {}

        record Absent() implements Changed {}

        /** Somebody else was faster. */
        record Overtaken() implements Changed {}

        record TooLarge() implements Changed {}
    }

    Changed change(String token, List<Change> changes) {
        List<byte[]> args = new ArrayList<>();
        args.add(Words.text(token));
        args.add(Words.number(Words.micros(clock)));
        args.add(Words.seconds(settings.idle()));
        args.add(Words.number(settings.attributes().count()));
        for (Change change : changes) {
            args.add(Words.text(change.name()));
            args.add(
                    Words.text(
                            change.expected()
                                    .map(e -> e.value() == null ? "-" : "=" + e.value())
                                    .orElse("")));
            args.add(Words.text(change.value() == null ? "" : change.value()));
        }
        Object answer = call(ATTRIBUTES, ofToken(token).subList(0, 4), args);
        if (answer instanceof byte[] why) {
            return Words.textOf(why).equals("large")
                    ? new Changed.TooLarge()
                    : new Changed.Overtaken();
        }
        return found(token, answer).<Changed>map(Changed.Done::new).orElseGet(Changed.Absent::new);
    }

    /** The session under a new token, which lives in the same shard; empty if there is none. */
    Optional<Session> rotate(String token, String next, Optional<String> user) {
        List<Cell.Key> keys = ofToken(token);
        keys.addAll(ofToken(next).subList(3, 7));
        Object answer =
                call(
                        ROTATE,
                        keys,
                        List.of(
                                Words.text(token),
                                Words.text(next),
                                Words.flag(user.isPresent()),
                                Words.text(user.orElse("")),
                                Words.number(Words.micros(clock)),
                                Words.seconds(settings.idle())));
        return found(next, answer);
    }

    /**
     * Ends it, if there is one.
     *
     * @param keepCart for how long its cart is kept
     */
    boolean finish(String token, Optional<Duration> keepCart) {
        List<Cell.Key> keys = ofToken(token);
        Object ended =
                call(
                        FINISH,
                        List.of(keys.get(0), keys.get(1), keys.get(2), keys.get(5), keys.get(6)),
                        List.of(
                                Words.text(token),
                                keepCart.map(Words::seconds).orElse(new byte[0])));
        return Words.numberOf(ended) == 1;
    }

    /** A new token, which lives where this one lives, also after a move to a cluster. */
    static String newTokenBeside(String token) {
        String next = Names.newToken();
        while (Shards.shard(token) != Shards.shard(next)) {
            next = Names.newToken();
        }
        return next;
    }

    /** How much of the space for attributes a text takes. */
    static int sizeOf(String text) {
        return Words.text(text).length;
    }

    // ---------------------------------------------------------------- views

    /** What a visitor looked at. */
    record View(String item, Instant at) {}

    /** The newest first. */
    List<View> views(String token, int most) {
        return keyspace
                .cells()
                .sorted(VisitsLayouts.VIEWED.at(token), -most, -1)
                .answer()
                .or(List.of())
                .reversed()
                .stream()
                .map(each -> new View(each.member(), Words.instant(each.score())))
                .toList();
    }

    void forgetViews(String token) {
        Cell.Key key = VisitsLayouts.VIEWED.at(token);
        keyspace.commitAt(key).delete(key).run().orThrow();
    }

    void forgetView(String token, String item) {
        Cell.Key key = VisitsLayouts.VIEWED.at(token);
        keyspace.commitAt(key).removeSorted(key, item).run().orThrow();
    }

    // ---------------------------------------------------------------- words

    private @Nullable Object call(Script script, List<Cell.Key> keys, List<byte[]> args) {
        return Words.await(keyspace.call(script, keys, args.toArray(byte[][]::new)));
    }

    private static Optional<Session> found(String token, @Nullable Object answer) {
        List<?> flat = Words.list(answer);
        return flat.isEmpty() ? Optional.empty() : Optional.of(session(token, flat));
    }

    private static Session session(String token, List<?> flat) {
        return Session.of(
                token,
                Words.textOf(flat.get(0)),
                Words.textOf(flat.get(1)),
                Words.list(flat.get(2)));
    }

    /** In the order in which the scripts take them. */
    private static List<Cell.Key> ofToken(String token) {
        List<Cell.Key> keys = new ArrayList<>(11);
        keys.add(VisitsLayouts.LOGIN.of(token));
        keys.add(VisitsLayouts.RECENT.of(token));
        keys.add(VisitsLayouts.ENDS.of(token));
        keys.add(VisitsLayouts.SESSION.at(token));
        keys.add(VisitsLayouts.VIEWED.at(token));
        keys.add(VisitsLayouts.CART.at(token));
        keys.add(VisitsLayouts.CART_STATE.at(token));
        return keys;
    }
}
