package dev.millrace.hub.rules.logic;

import dev.millrace.hub.ems.NumberText;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/** Values as rules see them: numbers, truths and texts. A text that is a number counts as one. */
final class Numeric {
    private static final Pattern DECIMAL =
            Pattern.compile(
                    "[+-]?(?:\\d{1,40}(?:\\.\\d{0,40})?|\\.\\d{1,40})(?:[eE][+-]?\\d{1,3})?");

    private Numeric() {}

    /** NaN if it is not a number. A truth is 1 or 0. */
    static double of(@Nullable Object value) {
        return switch (value) {
            case null -> Double.NaN;
            case Double number -> number;
            case Number number -> number.doubleValue();
            case Boolean truth -> truth ? 1 : 0;
            case String text ->
                    DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
            default -> Double.NaN;
        };
    }

    /** What a stored text says. */
    static Object read(String text) {
        double number = of(text);
        if (Double.isFinite(number)) {
            return number;
        }
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> text;
        };
    }

    /** Numbers are equal as numbers, whatever they look like; all else as text. */
    static boolean same(@Nullable Object one, @Nullable Object other) {
        double first = of(one);
        double second = of(other);
        if (!Double.isNaN(first) && !Double.isNaN(second)) {
            return first == second;
        }
        return text(one).equals(text(other));
    }

    static boolean truth(@Nullable Object value) {
        return switch (value) {
            case Boolean truth -> truth;
            case String text when Double.isNaN(of(text)) -> text.equals("true");
            case null -> false;
            default -> of(value) != 0 && !Double.isNaN(of(value));
        };
    }

    /** As people write it: whole numbers without a fraction. */
    static String text(@Nullable Object value) {
        if (value instanceof Number number) {
            double exact = number.doubleValue();
            return Double.isFinite(exact) ? NumberText.shortest(exact) : Double.toString(exact);
        }
        return String.valueOf(value);
    }
}
