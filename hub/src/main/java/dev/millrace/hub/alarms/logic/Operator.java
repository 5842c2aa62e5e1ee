package dev.millrace.hub.alarms.logic;

import java.util.Arrays;
import java.util.Optional;

/** How a value is compared. */
public enum Operator {
    ABOVE(">"),
    BELOW("<"),
    AT_LEAST(">="),
    AT_MOST("<="),
    EQUAL("=="),
    UNEQUAL("!="),
    /** From the threshold to the second one, both included. */
    BETWEEN("between"),
    /** Below the threshold or above the second one. */
    OUTSIDE("outside"),
    /** Another value than the one before. */
    CHANGE("change"),
    /** It rises by more than the threshold in a second. */
    RISING("rate>"),
    /** Its rate of change in a second is less than the threshold. */
    FALLING("rate<"),
    /** One of the bits of the threshold is set. */
    BIT("bit");

    private final String word;

    Operator(String word) {
        this.word = word;
    }

    /** As it is stored. */
    public String word() {
        return word;
    }

    /** Whether it compares a value with one threshold: the six that there always were. */
    public boolean isComparison() {
        return switch (this) {
            case ABOVE, BELOW, AT_LEAST, AT_MOST, EQUAL, UNEQUAL -> true;
            case BETWEEN, OUTSIDE, CHANGE, RISING, FALLING, BIT -> false;
        };
    }

    /** Whether it needs to know the value before. */
    public boolean looksBack() {
        return this == CHANGE || this == RISING || this == FALLING;
    }

    /** Whether it needs a second threshold. */
    public boolean hasTwoLimits() {
        return this == BETWEEN || this == OUTSIDE;
    }

    public static Optional<Operator> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
