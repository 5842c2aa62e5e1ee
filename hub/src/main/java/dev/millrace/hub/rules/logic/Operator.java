package dev.millrace.hub.rules.logic;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a condition compares what it sees with what it says. */
enum Operator {
    GREATER(">", "gt"),
    AT_LEAST(">=", "gte"),
    LESS("<", "lt"),
    AT_MOST("<=", "lte"),
    EQUAL("==", "eq", "="),
    UNEQUAL("!=", "ne", "<>"),
    CONTAINS("contains"),
    REGEX("regex", "matches"),
    IN("in"),
    NOT_IN("not_in"),
    EXISTS("exists"),
    NOT_EXISTS("not_exists"),
    BETWEEN("between"),
    CHANGED("changed");

    @SuppressWarnings("ImmutableEnumChecker") // it is an immutable list
    private final List<String> words;

    Operator(String... words) {
        this.words = List.of(words);
    }

    static Optional<Operator> of(String word) {
        String wanted = word.toLowerCase(Locale.ROOT);
        for (Operator each : values()) {
            if (each.words.contains(wanted)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    String word() {
        return words.getFirst();
    }

    /** How many values it compares with; -1 for a list. */
    int operands() {
        return switch (this) {
            case EXISTS, NOT_EXISTS, CHANGED -> 0;
            case BETWEEN -> 2;
            case IN, NOT_IN -> -1;
            case GREATER, AT_LEAST, LESS, AT_MOST, EQUAL, UNEQUAL, CONTAINS, REGEX -> 1;
        };
    }

    /**
     * What it comes to for a value that is there.
     *
     * @param pattern of {@link #REGEX}, made once
     */
    boolean holds(Object seen, List<Object> operands, @Nullable Pattern pattern) {
        return switch (this) {
            case GREATER -> number(seen) > number(operands.getFirst());
            case AT_LEAST -> number(seen) >= number(operands.getFirst());
            case LESS -> number(seen) < number(operands.getFirst());
            case AT_MOST -> number(seen) <= number(operands.getFirst());
            case EQUAL -> Numeric.same(seen, operands.getFirst());
            case UNEQUAL -> !Numeric.same(seen, operands.getFirst());
            case CONTAINS -> Numeric.text(seen).contains(Numeric.text(operands.getFirst()));
            case REGEX -> pattern != null && pattern.matcher(Numeric.text(seen)).find();
            case IN -> operands.stream().anyMatch(each -> Numeric.same(seen, each));
            case NOT_IN -> operands.stream().noneMatch(each -> Numeric.same(seen, each));
            case EXISTS -> true;
            case NOT_EXISTS, CHANGED -> false;
            case BETWEEN ->
                    number(seen) >= number(operands.get(0))
                            && number(seen) <= number(operands.get(1));
        };
    }

    private static double number(Object value) {
        return Numeric.of(value);
    }

    /** Matched in time that grows with the text alone, whatever the pattern is. */
    static Pattern pattern(String text, String member) throws RuleFault {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw RuleFault.condition(
                    member,
                    "'%s' is not a regular expression.".formatted(SourceRef.shortened(text)));
        }
    }
}
