package dev.millrace.keyspace.pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.pattern.PatternText.Variable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The shape of one kind of key: {@code event:device:{device}}.
 *
 * <p>It is the one place where such a key is spelled. It builds keys, and refuses values that would
 * make a key of another kind; it recognises keys and takes them apart; and it can tell whether it
 * ever meets another pattern. That last answer is a proof, not a guess from examples: each pattern
 * is a regular language, and two of them share a key exactly if the product of their automata
 * reaches an end. So a catalogue of patterns that is proved disjoint at start-up stays disjoint
 * whatever the users call their devices.
 *
 * <p>In the text, {@code {device}} is a variable that may be any text, {@code {device:name}} one
 * with a grammar ({@link Grammars} has the names). Two braces, {@code c.{{channel:tag}}.clock}, are
 * a variable with braces around it in the key itself: the hash tag by which Redis Cluster places
 * the key. A literal brace cannot be written otherwise, and two variables need something between
 * them.
 *
 * <p>Immutable, thread-safe. Equal when text and grammars are.
 */
public final class KeyPattern {
    private final String text;
    private final String[] literals;
    private final List<Variable> variables;
    private final List<String> names;
    private final int tag;
    private final int literalChars;
    private final int literalBytes;

    /** No value can be too long while all values together are not longer than this. */
    private final int shortestBound;

    private final Automaton automaton;
    private final Splitter splitter;

    /** Made when first needed: most patterns only ever build keys. */
    private volatile @Nullable LazyDfa dfa;

    private KeyPattern(PatternText parsed, String text) {
        this.text = text;
        literals = parsed.literals.toArray(String[]::new);
        variables = List.copyOf(parsed.variables);
        names = variables.stream().map(Variable::name).toList();
        tag = parsed.tag;
        List<byte[]> bytes = parsed.literals.stream().map(each -> each.getBytes(UTF_8)).toList();
        List<Grammar> grammars = variables.stream().map(Variable::grammar).toList();
        literalChars = parsed.literals.stream().mapToInt(String::length).sum();
        literalBytes = bytes.stream().mapToInt(each -> each.length).sum();
        shortestBound =
                grammars.stream().mapToInt(Grammar::maxBytes).min().orElse(Integer.MAX_VALUE);
        Automaton all = Automaton.literal(bytes.getFirst());
        for (int i = 0; i < grammars.size(); i++) {
            all = all.then(grammars.get(i).automaton()).then(Automaton.literal(bytes.get(i + 1)));
        }
        automaton = all;
        splitter = new Splitter(bytes, grammars);
    }

    /**
     * Reads a pattern whose variables have standard grammars.
     *
     * @throws IllegalArgumentException if the text is not a pattern, with a sentence that says why
     */
    public static KeyPattern of(String text) {
        return of(text, Grammars.standard());
    }

    /** Reads a pattern whose variables may have grammars of the program's own. */
    public static KeyPattern of(String text, Grammars grammars) {
        return new KeyPattern(new PatternText(text, grammars), text);
    }

    public String text() {
        return text;
    }

    /** The names of the variables, in their order. */
    public List<String> variables() {
        return names;
    }

    /** What every key begins with: the text before the first variable. */
    public String head() {
        return literals[0];
    }

    /** What every key ends with: the text behind the last variable, empty if there is none. */
    public String tail() {
        return literal() ? "" : literals[literals.length - 1];
    }

    public Grammar grammar(String variable) {
        int at = names.indexOf(variable);
        if (at < 0) {
            throw new IllegalArgumentException("%s has no variable %s".formatted(text, variable));
        }
        return variables.get(at).grammar();
    }

    /** Whether it has no variable, so that it stands for one key. */
    public boolean literal() {
        return variables.isEmpty();
    }

    /** Whether the keys carry a hash tag of their own. */
    public boolean tagged() {
        return hashTag().isPresent();
    }

    /** The variable that is the hash tag. */
    public Optional<String> hashTag() {
        return tag < 0 ? Optional.empty() : Optional.of(variables.get(tag).name());
    }

    /**
     * The key with these values, in the order of the variables.
     *
     * @throws BadKeyException if a value does not have its variable's grammar
     */
    public String key(String... values) {
        checkCount(values);
        if (literal()) {
            return literals[0];
        }
        int length = literalChars;
        for (int i = 0; i < values.length; i++) {
            if (!variables.get(i).grammar().matches(values[i])) {
                throw bad(variables.get(i), values[i]);
            }
            length += values[i].length();
        }
        StringBuilder key = new StringBuilder(length).append(literals[0]);
        for (int i = 0; i < values.length; i++) {
            key.append(values[i]).append(literals[i + 1]);
        }
        return key.toString();
    }

    /**
     * Whether that is the key with this value of its only variable; finds out without making it.
     */
    public boolean isKey(String key, String value) {
        String head = head();
        String tail = tail();
        return key.length() == head.length() + value.length() + tail.length()
                && key.startsWith(head)
                && key.startsWith(value, head.length())
                && key.endsWith(tail)
                && variables.getFirst().grammar().matches(value);
    }

    /**
     * The key with the value that the function gives for each variable's name.
     *
     * @throws BadKeyException if there is no value, or one that does not have the grammar
     */
    public String key(Function<String, @Nullable String> values) {
        String[] found = new String[variables.size()];
        for (int i = 0; i < found.length; i++) {
            String value = values.apply(variables.get(i).name());
            if (value == null) {
                throw bad(variables.get(i), "");
            }
            found[i] = value;
        }
        return key(found);
    }

    /**
     * Why {@link #key(String...)} would refuse these values, in a sentence; empty if it would not.
     */
    public Optional<String> refusal(String... values) {
        checkCount(values);
        for (int i = 0; i < values.length; i++) {
            Variable variable = variables.get(i);
            if (!variable.grammar().matches(values[i])) {
                return Optional.of(
                        BadKeyException.sentence(
                                text, variable.name(), values[i], variable.grammar().describe()));
            }
        }
        return Optional.empty();
    }

    /** Whether this is a key of this pattern, lengths included. */
    public boolean matches(String key) {
        if (literal()) {
            return key.equals(literals[0]);
        }
        byte[] bytes = Utf8.bytes(key);
        return bytes != null && matches(bytes);
    }

    /** The same for a key as Redis holds it, which need not be UTF-8. */
    public boolean matches(byte[] key) {
        return dfa().accepts(key, 0, key.length) && lengthsFit(key);
    }

    /** Whether {@link #values} can be asked: every key has only one reading. */
    public boolean parseable() {
        return splitter.unambiguous();
    }

    /**
     * Takes a key apart into the values of the variables; empty if it is none of this pattern.
     *
     * @throws IllegalStateException if the pattern is not {@link #parseable}
     */
    public Optional<List<String>> values(String key) {
        if (!parseable()) {
            throw new IllegalStateException(
                    "Keys of %s cannot be taken apart: they have more than one reading"
                            .formatted(text));
        }
        if (literal()) {
            return matches(key) ? Optional.of(List.of()) : Optional.empty();
        }
        byte[] bytes = Utf8.bytes(key);
        int[] cuts = bytes == null ? null : splitter.split(bytes);
        if (bytes == null || cuts == null) {
            return Optional.empty();
        }
        List<String> values = new ArrayList<>(variables.size());
        for (int i = 0; i < cuts.length; i += 2) {
            values.add(new String(bytes, cuts[i], cuts[i + 1] - cuts[i], UTF_8));
        }
        return Optional.of(List.copyOf(values));
    }

    /**
     * A key that both patterns match, one of the shortest; empty if it is proved that there is
     * none.
     *
     * <p>Exact but for the largest lengths of the variables, which the proof does not know unless
     * one of the two is a literal: it may name a key that is too long for one of the patterns. It
     * never misses one.
     */
    public Optional<String> meet(KeyPattern other) {
        if (literal()) {
            return other.matches(literals[0]) ? Optional.of(literals[0]) : Optional.empty();
        }
        if (other.literal()) {
            return other.meet(this);
        }
        if (!endsAgree(other)) {
            return Optional.empty();
        }
        return Product.shortestCommonWord(automaton, other.automaton)
                .map(word -> new String(word, UTF_8));
    }

    /** A pattern for SCAN's MATCH that finds every key of this pattern, and perhaps others. */
    public String glob() {
        StringBuilder glob = new StringBuilder();
        for (int i = 0; i < literals.length; i++) {
            glob.append(i == 0 ? "" : "*")
                    .append(literals[i].replaceAll("[\\\\*?\\[\\]]", "\\\\$0"));
        }
        return glob.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyPattern that
                && text.equals(that.text)
                && variables.equals(that.variables);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }

    Automaton automaton() {
        return automaton;
    }

    private LazyDfa dfa() {
        LazyDfa made = dfa;
        if (made == null) {
            made = new LazyDfa(automaton);
            dfa = made;
        }
        return made;
    }

    /** Whether no value is too long in a key that is known to match otherwise. */
    boolean lengthsFit(byte[] key) {
        return key.length - literalBytes <= shortestBound || splitter.splits(key);
    }

    /**
     * Nearly all pairs differ in the literal that they begin or end with; that needs no product.
     */
    private boolean endsAgree(KeyPattern other) {
        return (head().startsWith(other.head()) || other.head().startsWith(head()))
                && (tail().endsWith(other.tail()) || other.tail().endsWith(tail()));
    }

    private BadKeyException bad(Variable variable, String value) {
        return new BadKeyException(text, variable.name(), value, variable.grammar().describe());
    }

    private void checkCount(String[] values) {
        if (values.length != variables.size()) {
            throw new IllegalArgumentException(
                    "%s takes %d values %s, not %d"
                            .formatted(text, names.size(), names, values.length));
        }
    }
}
