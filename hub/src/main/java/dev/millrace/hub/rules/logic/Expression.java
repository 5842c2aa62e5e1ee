package dev.millrace.hub.rules.logic;

import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.tools.Script;
import org.projectnessie.cel.tools.ScriptException;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * An expression of the language of rules. It is translated to CEL, which has neither loops nor a
 * way to anything outside, and of CEL only what the language has: so what it costs is bounded by
 * how long it may be. Names are variables of the rule; one may stand for a source. Thread-safe.
 */
public final class Expression {
    private final String text;
    private final Script script;

    /** The variables of the script, and what each stands for. */
    private final Map<String, String> names;

    /** The variables that stand for numbers of the text. */
    private final Map<String, Double> numbers;

    private final Map<String, SourceRef> sources;

    /** Why it has no value. */
    public static final class Failure extends Exception {
        private static final long serialVersionUID = 1;

        Failure(String sentence) {
            super(sentence, null, false, false);
        }
    }

    private Expression(
            String text, Script script, Translation translation, Map<String, SourceRef> sources) {
        this.text = text;
        this.script = script;
        this.names = translation.names();
        this.numbers = Map.copyOf(translation.numbers());
        this.sources = sources;
    }

    /**
     * Reads one.
     *
     * @param inputs names that stand for sources
     * @param place where it is in the rule: under it, what its functions gather is kept
     * @param code what a mistake is
     */
    static Expression parse(
            String text, Map<String, SourceRef> inputs, String place, RuleFault.Code code)
            throws RuleFault {
        Translation translation = Translation.of(text, place, code);
        Map<String, SourceRef> sources = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : translation.names().entrySet()) {
            SourceRef source = inputs.get(each.getValue());
            if (source != null) {
                sources.put(each.getValue(), source);
            }
        }
        try {
            return new Expression(text, Scripts.of(translation), translation, sources);
        } catch (ScriptException e) {
            throw new RuleFault(
                    code,
                    place,
                    "'%s' cannot be worked out: its parts do not fit together."
                            .formatted(SourceRef.shortened(text)));
        }
    }

    String text() {
        return text;
    }

    void sources(Set<SourceRef> into) {
        into.addAll(sources.values());
    }

    /** Null if a name in it has no value, which is noted. */
    @Nullable Object valueOrNull(Sight sight) throws Failure {
        Map<String, Object> values = new HashMap<>(numbers);
        for (Map.Entry<String, String> each : names.entrySet()) {
            Object value = named(each.getValue(), sight);
            if (value == null) {
                return null;
            }
            values.put(each.getKey(), value);
        }
        try {
            Object value =
                    ScopedValue.where(Functions.SIGHT, sight)
                            .call(() -> script.execute(Object.class, values));
            if (value instanceof Double number && !Double.isFinite(number)) {
                throw new Failure(
                        "'%s' is not a number: something was divided by zero, or is too large."
                                .formatted(SourceRef.shortened(text)));
            }
            return value instanceof Number number ? (Object) number.doubleValue() : value;
        } catch (ScriptException e) {
            throw new Failure(
                    "'%s' has no value: %s".formatted(SourceRef.shortened(text), reason(e)));
        }
    }

    /** The same where a missing name is a failure. */
    Object value(Sight sight) throws Failure {
        Object value = valueOrNull(sight);
        if (value == null) {
            throw new Failure(
                    "'%s' has no value: something in it is missing."
                            .formatted(SourceRef.shortened(text)));
        }
        return value;
    }

    private @Nullable Object named(String name, Sight sight) {
        SourceRef source = sources.get(name);
        if (source != null) {
            String stored = sight.value(source);
            return stored == null ? null : Numeric.read(stored);
        }
        Object value = sight.variable(name);
        if (value == null) {
            sight.lacks(name);
        }
        return value;
    }

    private static String reason(ScriptException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("overload") || message.length() > 200
                ? "its parts do not fit together."
                : message;
    }
}
