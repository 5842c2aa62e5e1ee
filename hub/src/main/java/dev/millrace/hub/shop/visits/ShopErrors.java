package dev.millrace.hub.shop.visits;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Refusal;
import dev.millrace.hub.http.Request;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.Serial;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What can be wrong with a request to the shop, in the shape of the hub's other problems. */
public final class ShopErrors {
    private ShopErrors() {}

    private static final class RefusedException extends Refusal {
        @Serial private static final long serialVersionUID = 1L;

        private RefusedException(String sentence, Answer answer) {
            super(sentence, answer);
        }
    }

    /** What only the shop answers; the hub's own codes have no such status. */
    public enum Wrong {
        STALE(412, "It was changed since; here is what it is now."),
        BEYOND_LIMIT(422, "The shop keeps no such amount."),
        KEY_REUSED(422, "This Idempotency-Key was used for another change."),
        ROW_UNAVAILABLE(503, "The shop's database does not give it, and it is not cached."),
        TOO_MANY_KEYS(429, "Too many changes of this cart carried an Idempotency-Key today.");

        private final int status;
        private final String title;

        Wrong(int status, String title) {
            this.status = status;
            this.title = title;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public static Refusal of(Wrong wrong, String detail) {
        return of(wrong, detail, Map.of(), List.of());
    }

    /**
     * A refusal that tells more.
     *
     * @param more members of the body
     */
    public static Refusal of(
            Wrong wrong, String detail, Map<String, ?> more, List<Header> headers) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "urn:millrace:problem:" + wrong.word());
        body.put("title", wrong.title);
        body.put("status", wrong.status);
        body.put("code", wrong.word());
        body.put("detail", detail);
        body.putAll(more);
        return new RefusedException(
                detail,
                Answer.bytes(wrong.status, "application/problem+json", Json.write(body))
                        .with(headers));
    }

    // ---------------------------------------------------------------- names

    /** The token in the path. */
    public static String token(Request request) {
        return tokenIn(request.variable("token"));
    }

    public static String tokenIn(@Nullable String text) {
        if (text == null || !Names.isToken(text)) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "A token has 16 to 128 letters, digits, minus signs and underscores.");
        }
        return text;
    }

    public static String item(Request request) {
        return named(request.variable("item"), "item", Code.BAD_PARAMETER);
    }

    /** An item, a user or a row in the path. */
    public static String named(Request request, String what) {
        return named(request.variable(what), what, Code.BAD_PARAMETER);
    }

    /** An item, a user or a row in the body. */
    public static String namedIn(@Nullable String text, String what) {
        if (text == null) {
            throw bad(what + " is missing.");
        }
        return named(text, what, Code.BAD_BODY);
    }

    private static String named(String text, String what, Code code) {
        if (!Names.isItem(text)) {
            throw Problem.of(
                    code,
                    "%s must have 1 to %d characters, none of them a control character."
                            .formatted(what, Names.LONGEST_ITEM));
        }
        return text;
    }

    /** A user who may be nobody: null and an empty text say the same. */
    public static Optional<String> userIn(@Nullable String text) {
        return text == null || text.isEmpty()
                ? Optional.ofNullable(text)
                : Optional.of(named(text, "user", Code.BAD_BODY));
    }

    // ---------------------------------------------------------------- numbers

    public static Problem bad(String sentence) {
        return Problem.of(Code.BAD_BODY, sentence);
    }

    public static Problem absent(String sentence) {
        return Problem.of(Code.NOT_FOUND, sentence);
    }

    /** A whole number of the body, whatever its size; 2.0 is one, 1.5 and "2" are not. */
    public static Optional<BigInteger> wholeIn(@Nullable JsonNode value, String what) {
        if (value == null || value.isNull() || value.isMissingNode()) {
            return Optional.empty();
        }
        if (!value.isNumber() || !isWhole(value)) {
            throw bad(what + " must be a whole number.");
        }
        return Optional.of(value.decimalValue().toBigIntegerExact());
    }

    /** Whether a number is whole, and not so long that it is a weapon. */
    public static boolean isWhole(JsonNode number) {
        if (number.isFloatingPointNumber() && !Double.isFinite(number.doubleValue())) {
            return false;
        }
        BigDecimal decimal = number.decimalValue();
        return Math.abs(decimal.scale()) <= LONGEST_NUMBER
                && decimal.precision() <= LONGEST_NUMBER
                && decimal.stripTrailingZeros().scale() <= 0;
    }

    /** Digits of a number, or zeros behind them; nobody counts as far. */
    private static final int LONGEST_NUMBER = 1000;
}
