package dev.millrace.hub.shop.carts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.shop.visits.ShopErrors;
import dev.millrace.hub.shop.visits.ShopErrors.Wrong;

import io.micrometer.core.instrument.Counter;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Carts over HTTP. */
final class CartsApi {
    private static final String ROOM = "shop";
    private static final String CART = "/shop/carts/{token}";
    private static final String LINE = CART + "/items/{item:slashed}";
    private static final int LONGEST_KEY = 255;
    private static final Pattern VERSION = Pattern.compile("\"([0-9]{1,18})\"");

    /** For the largest cart that can be set up, with names of the longest kind. */
    private static final long LARGEST_BODY = 2 << 20;

    private final CartStore store;
    private final CartSettings settings;
    private final CartView.Maker views;
    private final Counter changes;
    private final Counter conflicts;

    CartsApi(
            CartStore store,
            CartSettings settings,
            Goods goods,
            Counter changes,
            Counter conflicts) {
        this.store = store;
        this.settings = settings;
        this.views = new CartView.Maker(goods);
        this.changes = changes;
        this.conflicts = conflicts;
    }

    List<Route> routes() {
        return List.of(
                Route.get(CART)
                        .needs(Role.VIEWER, ROOM)
                        .about("A cart; an empty one for a token that has none.")
                        .parameter("expand", "rows: each line with the row of its item")
                        .gives(CartView.class)
                        .by(this::get),
                changing(Route.put(CART))
                        .about("Replaces all that is in a cart.")
                        .takes(Items.class)
                        .maxBody(LARGEST_BODY)
                        .by(this::replace),
                changing(Route.delete(CART)).about("Empties a cart.").by(this::clear),
                changing(Route.put(LINE))
                        .about("Sets the quantity of an item; 0 and less removes it.")
                        .takes(Quantity.class)
                        .by(this::set),
                changing(Route.post(LINE))
                        .about("Adds to the quantity of an item, or takes from it.")
                        .takes(More.class)
                        .by(this::add),
                changing(Route.delete(LINE)).about("Removes an item from a cart.").by(this::remove),
                changing(Route.post(CART + "/merge"))
                        .about(
                                "Puts the cart of another token into this one, and empties it."
                                        + " Where both have an item, mode says which quantity"
                                        + " counts: max, sum, theirs or ours.")
                        .takes(Merge.class)
                        .by(this::merge));
    }

    private static Route.Draft changing(Route.Draft route) {
        return route.needs(Role.OPERATOR, ROOM).gives(CartView.class);
    }

    private record Quantity(@Nullable JsonNode quantity) {}

    private record More(@Nullable JsonNode add) {}

    private record Wanted(@Nullable String item, @Nullable JsonNode quantity) {}

    private record Items(@Nullable List<Wanted> items) {}

    private record Merge(@Nullable String from, @Nullable String mode) {}

    private Answer get(Request request) {
        String token = ShopErrors.token(request);
        Optional<String> expand = request.query("expand");
        if (expand.isPresent() && !expand.get().equals("rows")) {
            throw Problem.of(Code.BAD_PARAMETER, "expand must be rows, or left out.");
        }
        Cart cart = store.get(token);
        String tag = tag(cart);
        // What is told about the items changes without the cart.
        if (expand.isEmpty() && request.headers("If-None-Match").contains(tag)) {
            return Answer.empty(304).with("ETag", tag);
        }
        return Answer.json(expand.isPresent() ? views.withRows(cart) : CartView.of(cart))
                .with("ETag", tag);
    }

    private Answer replace(Request request) {
        String token = ShopErrors.token(request);
        List<Wanted> items = request.json(Items.class).items();
        if (items == null) {
            throw ShopErrors.bad("items is missing.");
        }
        if (items.size() > settings.lines()) {
            throw tooMany();
        }
        List<Cart.Line> lines = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Wanted each : items) {
            if (each == null) {
                throw ShopErrors.bad("items must hold objects with item and quantity.");
            }
            String item = ShopErrors.namedIn(each.item(), "item");
            if (!seen.add(item)) {
                throw ShopErrors.bad("items names %s twice.".formatted(item));
            }
            lines.add(new Cart.Line(item, quantity(each.quantity(), "quantity")));
        }
        return changed(request, token, Change.Kind.REPLACE, lines);
    }

    private Answer clear(Request request) {
        String token = ShopErrors.token(request);
        changed(request, token, Change.Kind.REPLACE, List.of());
        return Answer.empty(204);
    }

    private Answer set(Request request) {
        String token = ShopErrors.token(request);
        String item = ShopErrors.item(request);
        long quantity = quantity(request.json(Quantity.class).quantity(), "quantity");
        return changed(request, token, Change.Kind.SET, List.of(new Cart.Line(item, quantity)));
    }

    private Answer add(Request request) {
        String token = ShopErrors.token(request);
        String item = ShopErrors.item(request);
        long more = quantity(request.json(More.class).add(), "add");
        return changed(request, token, Change.Kind.ADD, List.of(new Cart.Line(item, more)));
    }

    private Answer remove(Request request) {
        String token = ShopErrors.token(request);
        String item = ShopErrors.item(request);
        return changed(request, token, Change.Kind.SET, List.of(new Cart.Line(item, 0)));
    }

    private Answer merge(Request request) {
        String token = ShopErrors.token(request);
        Merge wish = request.json(Merge.class);
        String from = ShopErrors.tokenIn(wish.from());
        if (from.equals(token)) {
            throw ShopErrors.bad("from must be another token.");
        }
        Change.Kind kind =
                switch (wish.mode() == null ? "max" : wish.mode()) {
                    case "max" -> Change.Kind.MAX;
                    case "sum" -> Change.Kind.SUM;
                    case "theirs" -> Change.Kind.THEIRS;
                    case "ours" -> Change.Kind.OURS;
                    default -> throw ShopErrors.bad("mode must be max, sum, theirs or ours.");
                };
        Change change =
                new Change(
                        kind,
                        List.of(),
                        expected(request),
                        once(request, from + ' ' + kind.word()));
        return answer(store.merge(token, from, change));
    }

    // ---------------------------------------------------------------- reading

    /** Less than nothing is as good as nothing; more than the shop allows is refused. */
    private long quantity(@Nullable JsonNode value, String what) {
        if (value != null && value.isNumber() && !isWhole(value)) {
            throw beyond(what);
        }
        BigInteger number =
                ShopErrors.wholeIn(value, what)
                        .orElseThrow(() -> ShopErrors.bad(what + " is missing."));
        BigInteger most = BigInteger.valueOf(settings.quantity());
        if (number.compareTo(most) > 0) {
            throw beyond(what);
        }
        return number.max(most.negate()).longValueExact();
    }

    private static boolean isWhole(JsonNode number) {
        return ShopErrors.isWhole(number);
    }

    private Optional<String> expected(Request request) {
        return request.header("If-Match")
                .map(String::strip)
                .filter(text -> !text.equals("*"))
                .map(text -> VERSION.matcher(text))
                .map(version -> version.matches() ? version.group(1) : "none of ours");
    }

    private static Optional<Change.Once> once(Request request, String rest) {
        Optional<String> key = request.header("Idempotency-Key");
        if (key.isEmpty()) {
            return Optional.empty();
        }
        if (key.get().isBlank() || key.get().length() > LONGEST_KEY) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "Idempotency-Key must have 1 to %d characters.".formatted(LONGEST_KEY));
        }
        return Optional.of(
                new Change.Once(digest(key.get()), digest(request.path() + '\n' + rest)));
    }

    private static String digest(String text) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    // ---------------------------------------------------------------- answers

    private Answer changed(Request request, String token, Change.Kind kind, List<Cart.Line> lines) {
        Optional<Change.Once> once =
                kind == Change.Kind.ADD ? once(request, lines.toString()) : Optional.empty();
        return answer(store.change(token, new Change(kind, lines, expected(request), once)));
    }

    private Answer answer(Changed changed) {
        return switch (changed) {
            case Changed.Done(Cart cart) -> {
                changes.increment();
                yield Answer.json(CartView.of(cart)).with("ETag", tag(cart));
            }
            case Changed.Stale(Cart cart) -> {
                conflicts.increment();
                throw ShopErrors.of(
                        Wrong.STALE,
                        "The cart has version %d.".formatted(cart.version()),
                        Map.of("cart", CartView.of(cart)),
                        List.of(new Header("ETag", tag(cart))));
            }
            case Changed.Busy() -> {
                conflicts.increment();
                throw Problem.of(Code.CONFLICT, "The cart is being merged; try again.");
            }
            case Changed.TooLarge() -> throw beyond("quantity");
            case Changed.TooManyLines() -> throw tooMany();
            case Changed.KeyReused() ->
                    throw ShopErrors.of(
                            Wrong.KEY_REUSED, "Another change needs another Idempotency-Key.");
            case Changed.TooManyKeys() ->
                    throw ShopErrors.of(
                            Wrong.TOO_MANY_KEYS,
                            "Each is kept for 24 hours; leave the header out, or wait.");
        };
    }

    private static String tag(Cart cart) {
        return "\"" + cart.version() + "\"";
    }

    private RuntimeException beyond(String what) {
        return ShopErrors.of(
                Wrong.BEYOND_LIMIT,
                "%s must be a whole number of at most %d.".formatted(what, settings.quantity()));
    }

    private RuntimeException tooMany() {
        return ShopErrors.of(
                Wrong.BEYOND_LIMIT,
                "A cart holds at most %d different items.".formatted(settings.lines()));
    }
}
