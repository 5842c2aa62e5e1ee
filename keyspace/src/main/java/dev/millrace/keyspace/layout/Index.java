package dev.millrace.keyspace.layout;

import dev.millrace.keyspace.pattern.KeyPattern;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One index of a layout: which keys an entity is entered in, and how. A variable with several
 * values (the labels of a subscription) gives one key for each; one without a value gives none.
 */
public final class Index<E> {
    public final KeyPattern pattern;
    public final KeyType type;

    /** For a sorted index. */
    final @Nullable ScoreOf<E> score;

    final String scoreWords;

    /** For a unique index: the variable whose value must be unique. */
    public final @Nullable String unique;

    private final boolean constantScore;
    private Predicate<? super E> condition = entity -> true;
    private boolean conditional;
    private OptionalDouble tolerated = OptionalDouble.empty();

    private Index(
            KeyPattern pattern,
            KeyType type,
            @Nullable ScoreOf<E> score,
            String scoreWords,
            boolean constantScore,
            @Nullable String unique) {
        this.pattern = pattern;
        this.type = type;
        this.score = score;
        this.scoreWords = scoreWords;
        this.constantScore = constantScore;
        this.unique = unique;
    }

    static <E> Index<E> sorted(KeyPattern pattern, ScoreOf<E> score) {
        return new Index<>(pattern, KeyType.SORTED_SET, score, score.words(), false, null);
    }

    static <E> Index<E> sorted(KeyPattern pattern, long score) {
        return new Index<>(
                pattern, KeyType.SORTED_SET, entity -> score, Long.toString(score), true, null);
    }

    static <E> Index<E> set(KeyPattern pattern) {
        return new Index<>(pattern, KeyType.SET, null, "", true, null);
    }

    public static <E> Index<E> unique(KeyPattern pattern, String variable) {
        return new Index<>(pattern, KeyType.HASH, null, "", true, variable);
    }

    void when(Predicate<? super E> newCondition) {
        condition = newCondition;
        conditional = true;
    }

    boolean conditional() {
        return conditional;
    }

    void tolerate(double score) {
        tolerated = OptionalDouble.of(score);
    }

    /** The score with which others enter what does not fulfil the condition. */
    OptionalDouble tolerated() {
        return tolerated;
    }

    /** Whether the entry follows from the variables of the value's own key. */
    boolean dependsOnKeyAlone(Layout<E> layout) {
        return constantScore
                && unique == null
                && !conditional
                && layout.pattern().variables().containsAll(pattern.variables());
    }

    /** Hands over every entry of this entity. */
    void entries(Mapping<E> mapping, E entity, String id, Consumer<Entry> target) {
        if (!condition.test(entity)) {
            return;
        }
        List<String> variables = pattern.variables();
        if (variables.isEmpty()) {
            entry(mapping, entity, id, pattern.key(), target);
        } else if (variables.size() == 1
                && mapping.variable(entity, variables.getFirst()) instanceof String value) {
            if (!value.isEmpty()) {
                entry(mapping, entity, id, pattern.key(value), target);
            }
        } else {
            keys(mapping, entity, id, variables, new String[variables.size()], 0, target);
        }
    }

    /** Whether this entity has an entry in this sorted index; finds out without making it. */
    boolean enters(Mapping<E> mapping, E entity, String key, double at) {
        if (score == null || !condition.test(entity)) {
            return false;
        }
        List<String> variables = pattern.variables();
        Object value = variables.size() == 1 ? mapping.variable(entity, variables.getFirst()) : "";
        if (variables.size() > 1 || !(value instanceof String text)) {
            List<Entry> all = new ArrayList<>(1);
            entries(mapping, entity, "", all::add);
            return all.contains(new Entry.Sorted(key, at, ""));
        }
        return score.of(entity) == at
                && (variables.isEmpty() ? key.equals(pattern.head()) : pattern.isKey(key, text));
    }

    /** Hands over every entry that this entity need not have, and that is not drift if it has. */
    void toleratedEntries(Mapping<E> mapping, E entity, String id, Consumer<Entry> target) {
        if (tolerated.isPresent() && !condition.test(entity)) {
            double others = tolerated.getAsDouble();
            List<String> variables = pattern.variables();
            keys(
                    mapping,
                    entity,
                    id,
                    variables,
                    new String[variables.size()],
                    0,
                    entry -> target.accept(new Entry.Sorted(entry.key(), others, id)));
        }
    }

    private void keys(
            Mapping<E> mapping,
            E entity,
            String id,
            List<String> variables,
            String[] values,
            int at,
            Consumer<Entry> target) {
        if (at < values.length) {
            for (String value : texts(mapping.variable(entity, variables.get(at)))) {
                values[at] = value;
                keys(mapping, entity, id, variables, values, at + 1, target);
            }
        } else {
            entry(mapping, entity, id, pattern.key(values), target);
        }
    }

    private void entry(
            Mapping<E> mapping, E entity, String id, String key, Consumer<Entry> target) {
        if (unique != null) {
            for (String value : texts(mapping.variable(entity, unique))) {
                target.accept(new Entry.Unique(key, value, id));
            }
        } else if (score != null) {
            double value = score.of(entity);
            if (!Double.isFinite(value)) {
                throw new UnfitException(
                        "The score of " + pattern + " must be a finite number, not " + value + ".");
            }
            // Redis knows no negative zero: what is read back must equal what is asked for.
            target.accept(new Entry.Sorted(key, value + 0.0, id));
        } else {
            target.accept(new Entry.Member(key, id));
        }
    }

    /** One text for each value; an absent or empty one is none. */
    static List<String> texts(@Nullable Object value) {
        if (value instanceof Collection<?> several) {
            List<String> texts = new ArrayList<>(several.size());
            for (Object each : several) {
                String text = each == null ? "" : each.toString();
                if (!text.isEmpty() && !texts.contains(text)) {
                    texts.add(text);
                }
            }
            return texts;
        }
        String text = value == null ? "" : value.toString();
        return text.isEmpty() ? List.of() : List.of(text);
    }
}
