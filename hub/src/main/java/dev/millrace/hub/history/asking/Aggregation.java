package dev.millrace.hub.history.asking;

import java.util.Locale;
import java.util.Optional;

/** What becomes of the samples of a window. Samples that are not numbers count for none of them. */
public enum Aggregation {
    /** Nothing: the samples themselves. */
    RAW,
    /** The mean of the samples. */
    AVG,
    MIN,
    MAX,
    SUM,
    /** How many numbers there are. */
    COUNT,
    FIRST,
    LAST,
    /** The standard deviation of the samples, of these and not of more that they stand for. */
    STD,
    MEDIAN,
    /** The last one less the first one. */
    DELTA,
    /** The mean over time: a value counts as long as it holds. */
    TWA;

    /** As clients write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one with this name. */
    public static Optional<Aggregation> of(String word) {
        return switch (word) {
            case "mean" -> Optional.of(AVG);
            case "stddev" -> Optional.of(STD);
            default -> {
                for (Aggregation each : values()) {
                    if (each.word().equals(word)) {
                        yield Optional.of(each);
                    }
                }
                yield Optional.empty();
            }
        };
    }

    /** Whether it can be made of figures of parts of the window. */
    boolean fromParts() {
        return switch (this) {
            case AVG, MIN, MAX, SUM, COUNT, FIRST, LAST, DELTA -> true;
            case RAW, STD, MEDIAN, TWA -> false;
        };
    }
}
