package dev.millrace.hub.history.asking;

import dev.millrace.hub.history.series.Decimals;

import java.util.Optional;

/** What stands for a window without samples. */
public sealed interface Fill {
    /** It is left out. */
    record None() implements Fill {}

    /** It is there, and empty. */
    record Empty() implements Fill {}

    /** The value of the window before. */
    record Previous() implements Fill {}

    /** A value on the line between its neighbours. */
    record Linear() implements Fill {}

    /** This number. */
    record Constant(double number) implements Fill {}

    /** The one that a text names. */
    static Optional<Fill> of(String text) {
        return switch (text) {
            case "none" -> Optional.of(new None());
            case "null" -> Optional.of(new Empty());
            case "previous" -> Optional.of(new Previous());
            case "linear" -> Optional.of(new Linear());
            default -> {
                double number = Decimals.parse(text);
                yield Double.isNaN(number) ? Optional.empty() : Optional.of(new Constant(number));
            }
        };
    }
}
