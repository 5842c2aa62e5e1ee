package dev.millrace.hub.readings;

import dev.millrace.hub.readings.kept.ValueDescriptor;
import dev.millrace.hub.readings.kept.VerbatimJson;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Whether the value of a reading is what its value descriptor says. Numbers are taken as the
 * reference takes them, which is not as Java does: no blanks around, no {@code 1.0f}, only ASCII
 * digits. All patterns are possessive, so that no value makes them try again.
 */
final class ValueCheck {
    private static final Set<String> BOOLEANS =
            Set.of("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False");

    private static final Pattern INTEGER = Pattern.compile("[+-]?+[0-9]++");

    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?+(?:[0-9]++(?:\\.[0-9]*+)?+|\\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+");

    private static final Pattern HEXADECIMAL =
            Pattern.compile(
                    "[+-]?+0[xX](?:[0-9a-fA-F]++(?:\\.[0-9a-fA-F]*+)?+|\\.[0-9a-fA-F]++)"
                            + "[pP][+-]?+[0-9]++");

    private static final Pattern INFINITY = Pattern.compile("(?i)[+-]?+inf(?:inity)?+");

    /** Beyond this a bound is a mistake, and taking it apart costs more than it tells. */
    private static final int LONGEST_BOUND = 400;

    private static final JsonMapper JSON = JsonMapper.shared();

    private ValueCheck() {}

    /** What is wrong with a value, in a sentence; empty if nothing is. */
    static Optional<String> problem(ValueDescriptor descriptor, @Nullable String sent) {
        String value = sent == null ? "" : sent;
        String type = descriptor.type() == null ? "" : descriptor.type();
        return switch (type) {
            case "B" -> expect(BOOLEANS.contains(value), descriptor, "neither true nor false");
            case "F" -> decimal(descriptor, value);
            case "I" -> integer(descriptor, value);
            case "S" -> expect(!value.isEmpty(), descriptor, "empty");
            case "J" -> expect(isJson(value), descriptor, "no JSON");
            default ->
                    Optional.of(
                            "Unknown type: '%s' has the type '%s'; B, F, I, S and J can be checked."
                                    .formatted(descriptor.nameOrEmpty(), type));
        };
    }

    private static Optional<String> expect(boolean right, ValueDescriptor descriptor, String what) {
        return right
                ? Optional.empty()
                : Optional.of("The value of '%s' is %s.".formatted(descriptor.nameOrEmpty(), what));
    }

    // ---------------------------------------------------------------- numbers

    private static Optional<String> decimal(ValueDescriptor descriptor, String text) {
        Optional<Double> value = decimal(text);
        if (value.isEmpty()) {
            return expect(false, descriptor, "no number");
        }
        return outOf(descriptor.max(), ValueCheck::decimal, max -> value.get() > max)
                .or(() -> outOf(descriptor.min(), ValueCheck::decimal, min -> value.get() < min))
                .flatMap(what -> expect(false, descriptor, what));
    }

    private static Optional<String> integer(ValueDescriptor descriptor, String text) {
        Optional<Long> value = integer(text);
        if (value.isEmpty()) {
            return expect(false, descriptor, "no whole number of 64 bits");
        }
        BigDecimal exact = BigDecimal.valueOf(value.get());
        return outOf(descriptor.max(), ValueCheck::exact, max -> exact.compareTo(max) > 0)
                .or(
                        () ->
                                outOf(
                                        descriptor.min(),
                                        ValueCheck::exact,
                                        min -> exact.compareTo(min) < 0))
                .flatMap(what -> expect(false, descriptor, what));
    }

    /** What a bound says against a value; one that is not there says nothing. */
    private static <T> Optional<String> outOf(
            @Nullable VerbatimJson bound,
            Function<String, Optional<T>> reading,
            Predicate<T> beyond) {
        if (bound == null || bound.scalar().filter(String::isEmpty).isPresent()) {
            return Optional.empty();
        }
        Optional<T> number = bound.scalar().flatMap(reading);
        if (number.isEmpty()) {
            return Optional.of("cannot be compared: the bound %s is not a number".formatted(bound));
        }
        return beyond.test(number.get())
                ? Optional.of("out of bounds: the bound is " + bound)
                : Optional.empty();
    }

    private static Optional<Long> integer(String text) {
        if (!INTEGER.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return Optional.empty(); // more than 64 bits
        }
    }

    private static Optional<Double> decimal(String text) {
        if (text.equalsIgnoreCase("nan")) {
            return Optional.of(Double.NaN);
        }
        if (INFINITY.matcher(text).matches()) {
            return Optional.of(
                    text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
        }
        if (!DECIMAL.matcher(text).matches() && !HEXADECIMAL.matcher(text).matches()) {
            return Optional.empty();
        }
        return Optional.of(Double.parseDouble(text)).filter(Double::isFinite);
    }

    private static Optional<BigDecimal> exact(String text) {
        if (text.length() > LONGEST_BOUND || !DECIMAL.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BigDecimal(text));
        } catch (NumberFormatException e) {
            return Optional.empty(); // an exponent beyond all bounds
        }
    }

    // ---------------------------------------------------------------- JSON

    /** One value and nothing after it. */
    private static boolean isJson(String text) {
        int values = 0;
        int depth = 0;
        try (JsonParser parser = JSON.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                values += depth == 0 ? 1 : 0;
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            }
        } catch (JacksonException e) {
            return false;
        }
        return values == 1;
    }
}
