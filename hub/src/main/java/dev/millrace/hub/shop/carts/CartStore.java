package dev.millrace.hub.shop.carts;

import dev.millrace.hub.shop.visits.VisitsLayouts;
import dev.millrace.hub.shop.visits.Words;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Carts in Redis. The hash {@code cart:{token}} holds items and quantities and nothing else, so
 * that any program can read and write it; what is ours lies beside it, with a print of what the
 * cart held when it was changed last. So a change by another program is noticed, and gives a new
 * version too.
 *
 * <p>Each change is one script. Only on a cluster, where two tokens may live in two shards, a merge
 * takes three: the other cart is lent, put into this one, and emptied. If the hub dies between
 * these, nothing is lost: the lending ends by itself, and the same request with the same key goes
 * on where the first one stopped.
 */
final class CartStore {
    private static final Script GET = Script.reading(CartStore.class, "get", "cart");
    private static final Script NOTICE = Script.of(CartStore.class, "notice", "cart");
    private static final Script CHANGE = Script.of(CartStore.class, "change", "cart", "visitor");
    private static final Script MERGE = Script.of(CartStore.class, "merge", "cart", "visitor");
    private static final Script LEND = Script.of(CartStore.class, "lend", "cart");
    private static final Script GIVE_BACK =
            Script.of(CartStore.class, "giveBack", "cart", "visitor");

    private static final Duration LENDING = Duration.ofSeconds(30);

    /** More than anybody needs who clicks; each keeps an answer for a day. */
    private static final int MOST_KEYS = 1000;

    private final Keyspace keyspace;
    private final CartSettings settings;
    private final Duration sessionIdle;
    private final InstantSource clock;

    CartStore(Keyspace keyspace, CartSettings settings, Duration sessionIdle, InstantSource clock) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.sessionIdle = sessionIdle;
        this.clock = clock;
    }

    Cart get(String token) {
        List<Cell.Key> keys =
                List.of(VisitsLayouts.CART.at(token), VisitsLayouts.CART_STATE.at(token));
        Reply found = reply(token, Words.await(keyspace.ask(GET, keys)));
        if (!found.word.equals("foreign")) {
            return found.cart;
        }
        try {
            byte[] now = Words.number(Words.micros(clock));
            return reply(
                            token,
                            Words.await(
                                    keyspace.call(
                                            NOTICE, keys, now, Words.seconds(settings.idle()))))
                    .cart;
        } catch (RedisException e) {
            // A server that is full can be read; whoever changes the cart hears of it.
            return found.cart;
        }
    }

    Changed change(String token, Change change) {
        List<Cell.Key> keys = new ArrayList<>(keys(token));
        List<byte[]> args = args(token, change);
        for (Cart.Line line : change.lines()) {
            args.add(Words.text(line.item()));
            args.add(Words.number(line.quantity()));
        }
        return changed(token, run(CHANGE, keys, args, token, change));
    }

    /** Puts the other cart into this one, and empties it. */
    Changed merge(String token, String from, Change change) {
        return keyspace.liveTogether(token, from)
                ? mergeBeside(token, from, change)
                : mergeAcross(token, from, change);
    }

    private Changed mergeBeside(String token, String from, Change change) {
        List<Cell.Key> keys = new ArrayList<>(keys(token));
        keys.add(VisitsLayouts.SESSION.at(from));
        keys.add(VisitsLayouts.CART.at(from));
        keys.add(VisitsLayouts.CART_STATE.at(from));
        change.once().ifPresent(once -> keys.add(VisitsLayouts.CART_ONCE.at(token, once.digest())));
        List<byte[]> args = args(token, change);
        args.add(Words.text(from));
        return changed(
                token,
                Words.await(keyspace.callAcrossOwners(MERGE, keys, args.toArray(byte[][]::new))));
    }

    private Changed mergeAcross(String token, String from, Change change) {
        long now = Words.micros(clock);
        String name = change.once().map(Change.Once::digest).orElseGet(Carts::random);
        Reply lent =
                reply(
                        from,
                        Words.await(
                                keyspace.call(
                                        LEND,
                                        keys(from).subList(4, 6),
                                        Words.number(now),
                                        Words.number(
                                                now
                                                        + TimeUnit.NANOSECONDS.toMicros(
                                                                LENDING.toNanos())),
                                        Words.text(name),
                                        Words.seconds(settings.idle()))));
        if (lent.word.equals("lent")) {
            return new Changed.Busy();
        }
        boolean taken = false;
        try {
            Change with =
                    new Change(change.kind(), lent.cart.lines(), change.expected(), change.once());
            List<byte[]> args = args(token, with);
            for (Cart.Line line : with.lines()) {
                args.add(Words.text(line.item()));
                args.add(Words.number(line.quantity()));
            }
            Reply reply =
                    reply(token, run(CHANGE, new ArrayList<>(keys(token)), args, token, with));
            // Told before, and not lent since: it was emptied then, or changed meanwhile.
            taken =
                    reply.word.equals("done")
                            || (reply.word.equals("again") && lent.word.equals("resumed"));
            return changed(token, reply);
        } finally {
            giveBack(from, name, taken);
        }
    }

    private void giveBack(String from, String name, boolean empty) {
        Words.await(
                keyspace.call(
                        GIVE_BACK,
                        keys(from),
                        Words.text(from),
                        Words.number(Words.micros(clock)),
                        Words.seconds(sessionIdle),
                        Words.seconds(settings.idle()),
                        Words.text(name),
                        Words.flag(empty)));
    }

    // ---------------------------------------------------------------- words

    private @Nullable Object run(
            Script script, List<Cell.Key> keys, List<byte[]> args, String token, Change change) {
        if (change.once().isEmpty()) {
            return Words.await(keyspace.callOnce(script, keys, args.toArray(byte[][]::new)));
        }
        keys.add(VisitsLayouts.CART_ONCE.at(token, change.once().get().digest()));
        return Words.await(keyspace.call(script, keys, args.toArray(byte[][]::new)));
    }

    private List<byte[]> args(String token, Change change) {
        List<byte[]> args = new ArrayList<>();
        args.add(Words.text(token));
        args.add(Words.number(Words.micros(clock)));
        args.add(Words.seconds(sessionIdle));
        args.add(Words.seconds(settings.idle()));
        args.add(Words.text(change.expected().orElse("")));
        args.add(Words.number(settings.lines()));
        args.add(Words.number(settings.quantity()));
        args.add(Words.text(change.kind().word()));
        args.add(Words.text(change.once().map(Change.Once::print).orElse("")));
        args.add(Words.number(MOST_KEYS));
        return args;
    }

    /** In the order in which the scripts take them. */
    private static List<Cell.Key> keys(String token) {
        return List.of(
                VisitsLayouts.LOGIN.of(token),
                VisitsLayouts.RECENT.of(token),
                VisitsLayouts.ENDS.of(token),
                VisitsLayouts.SESSION.at(token),
                VisitsLayouts.CART.at(token),
                VisitsLayouts.CART_STATE.at(token));
    }

    private record Reply(String word, Cart cart) {}

    private static Reply reply(String token, @Nullable Object answer) {
        List<?> parts = Words.list(answer);
        List<?> flat = Words.list(parts.get(3));
        List<Cart.Line> lines = new ArrayList<>();
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            lines.add(
                    new Cart.Line(
                            Words.textOf(flat.get(i)),
                            Words.whole(Words.textOf(flat.get(i + 1))).orElse(0)));
        }
        lines.sort(Comparator.comparing(Cart.Line::item));
        var updated = Words.decimal(Words.textOf(parts.get(2)));
        return new Reply(
                Words.textOf(parts.get(0)),
                new Cart(
                        token,
                        Words.whole(Words.textOf(parts.get(1))).orElse(0),
                        updated.isPresent()
                                ? Optional.of(Words.instant(updated.getAsDouble() / 1_000_000))
                                : Optional.empty(),
                        lines));
    }

    private static Changed changed(String token, @Nullable Object answer) {
        return changed(token, reply(token, answer));
    }

    private static Changed changed(String token, Reply reply) {
        return switch (reply.word) {
            case "done", "again" -> new Changed.Done(reply.cart);
            case "stale" -> new Changed.Stale(reply.cart);
            case "lent" -> new Changed.Busy();
            case "large" -> new Changed.TooLarge();
            case "many" -> new Changed.TooManyLines();
            case "reused" -> new Changed.KeyReused();
            case "keys" -> new Changed.TooManyKeys();
            default ->
                    throw new IllegalStateException(
                            "The script said " + reply.word + " of " + token + ".");
        };
    }
}
