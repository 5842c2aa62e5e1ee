package dev.millrace.hub.alarms.logic;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.util.Map;
import java.util.Optional;

/** What a rule comes to, with the defaults of all that it does not say. */
public sealed interface Terms {

    /**
     * It can be evaluated.
     *
     * @param onDelay ms for which the condition must hold
     * @param offDelay ms for which it must not hold
     * @param repeatCount how many updates in a row must meet it
     * @param latched stays until somebody resets it
     * @param ackRequired whether an alarm that ended waits to be acknowledged
     * @param noDataAfter ms without an update of the field; 0 for never
     * @param reAlarmAfter ms after which an acknowledgement ends; 0 for never
     * @param quiet whether nothing but the condition decides, as in most rules
     */
    record Valid(
            Condition condition,
            long onDelay,
            long offDelay,
            int repeatCount,
            boolean latched,
            boolean ackRequired,
            long noDataAfter,
            BadQuality onBadQuality,
            Optional<Windows> schedule,
            long reAlarmAfter,
            Escalation escalation,
            boolean quiet)
            implements Terms {

        private Valid withQuiet(boolean now) {
            return new Valid(
                    condition,
                    onDelay,
                    offDelay,
                    repeatCount,
                    latched,
                    ackRequired,
                    noDataAfter,
                    onBadQuality,
                    schedule,
                    reAlarmAfter,
                    escalation,
                    now);
        }
    }

    /** It cannot, and why: it is never evaluated and counted among the invalid ones. */
    record Invalid(String reason) implements Terms {}

    /** What becomes of a value whose quality is not good. */
    enum BadQuality {
        IGNORE,
        EVALUATE,
        TRIGGER
    }

    /** Whether an alarm of this rule waits to be acknowledged after it has ended. */
    default boolean acknowledging() {
        return !(this instanceof Valid valid) || valid.ackRequired;
    }

    /**
     * Reads a rule. Whatever is wrong with it is the reason, in a sentence that names the field.
     */
    static Terms of(AlarmRule rule) {
        try {
            return valid(rule);
        } catch (IllegalArgumentException e) {
            return new Invalid(String.valueOf(e.getMessage()));
        }
    }

    private static Valid valid(AlarmRule rule) {
        Fields fields = new Fields(rule.fields());
        fields.required(AlarmRule.SOURCE_KEY);
        fields.required(AlarmRule.FIELD);
        Operator operator =
                Operator.of(rule.operatorWord())
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "operator must be one of > < >= <= == != between"
                                                        + " outside change rate> rate< bit, not "
                                                        + rule.operatorWord()));
        double limit =
                operator == Operator.CHANGE
                        ? fields.number(AlarmRule.THRESHOLD, 0)
                        : fields.required(AlarmRule.THRESHOLD);
        double limit2 =
                operator.hasTwoLimits() ? fields.required(AlarmRule.THRESHOLD2) : Double.NaN;
        if (limit2 < limit) {
            throw new IllegalArgumentException("threshold2 must not be less than threshold");
        }
        Condition condition =
                new Condition(
                        operator,
                        limit,
                        limit2,
                        fields.number("clear_threshold", Double.NaN),
                        fields.notNegative("deadband"));
        Valid all =
                new Valid(
                        condition,
                        fields.millis("on_delay"),
                        fields.millis("off_delay"),
                        fields.count("repeat_count"),
                        fields.flag("latched", false),
                        fields.flag("ack_required", true),
                        fields.millis("no_data_after"),
                        fields.quality("on_bad_quality"),
                        fields.json("schedule").map(Windows::of),
                        fields.millis("re_alarm_after"),
                        fields.json("escalate").map(Escalation::of).orElse(Escalation.NONE),
                        false);
        return all.withQuiet(
                all.schedule.isEmpty()
                        && !operator.looksBack()
                        && all.onBadQuality == BadQuality.IGNORE);
    }

    /** Reads fields as what they stand for. */
    record Fields(Map<String, String> all) {

        double required(String name) {
            String text = all.get(name);
            if (text == null) {
                throw new IllegalArgumentException(name + " is missing");
            }
            return name.equals(AlarmRule.SOURCE_KEY) || name.equals(AlarmRule.FIELD)
                    ? 0
                    : number(name, 0);
        }

        double number(String name, double standard) {
            String text = all.get(name);
            if (text == null || (text.isEmpty() && !name.equals(AlarmRule.THRESHOLD))) {
                return standard;
            }
            double number = Numbers.of(text);
            if (Double.isNaN(number)) {
                throw new IllegalArgumentException(
                        name + " must be a number, not '" + Texts.shortened(text) + "'");
            }
            return number;
        }

        double notNegative(String name) {
            double number = number(name, 0);
            if (number < 0) {
                throw new IllegalArgumentException(name + " must not be negative");
            }
            return number;
        }

        /** Of seconds; a hundred years are enough. */
        long millis(String name) {
            double seconds = notNegative(name);
            if (seconds > 3_155_760_000.0) {
                throw new IllegalArgumentException(name + " must be at most 3155760000 seconds");
            }
            return Math.round(seconds * 1000);
        }

        int count(String name) {
            double number = number(name, 1);
            if (number < 1 || number > 1_000_000 || number != Math.rint(number)) {
                throw new IllegalArgumentException(
                        name + " must be a whole number from 1 to 1000000");
            }
            return (int) number;
        }

        boolean flag(String name, boolean standard) {
            return switch (all.getOrDefault(name, "")) {
                case "" -> standard;
                case "true", "1" -> true;
                case "false", "0" -> false;
                default -> throw new IllegalArgumentException(name + " must be true or false");
            };
        }

        BadQuality quality(String name) {
            return switch (all.getOrDefault(name, "")) {
                case "", "ignore" -> BadQuality.IGNORE;
                case "evaluate" -> BadQuality.EVALUATE;
                case "trigger" -> BadQuality.TRIGGER;
                default ->
                        throw new IllegalArgumentException(
                                name + " must be ignore, evaluate or trigger");
            };
        }

        Optional<JsonNode> json(String name) {
            String text = all.getOrDefault(name, "");
            if (text.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(Texts.JSON.readTree(text));
            } catch (JacksonException e) {
                throw new IllegalArgumentException(name + " is not JSON", e);
            }
        }
    }
}
