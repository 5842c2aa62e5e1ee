package dev.millrace.keyspace.pattern;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What may stand in the place of one variable of a {@link KeyPattern}.
 *
 * <p>A key is a text without structure: whether {@code alarm:events} is the alarm of a rule called
 * "events" or the list of alarm events can only be told if somebody has said what a rule may be
 * called. A grammar says it: a regular language over the UTF-8 bytes of the value, with a length, a
 * name and a few words for the person whose value was refused. Regular, because then two patterns
 * can be <em>proved</em> never to meet; small combinators instead of regular expressions, because
 * then every grammar has such a proof.
 *
 * <pre>{@code
 * Grammar serial = Grammar.oneOf("A-Z").times(2).then(Grammar.chars("0-9"))
 *         .atMost(12).named("serial", "two capital letters and digits");
 * }</pre>
 *
 * <p>The largest length is kept beside the automaton: 255 bytes would be 255 states and make every
 * proof slow. It is checked whenever a value or a key is, but {@link KeyPattern#meet} does not know
 * it. So it belongs at the end: a grammar with a length is not combined any further.
 *
 * <p>Immutable, thread-safe. Two grammars are equal only if they are the same object.
 */
public final class Grammar {
    /** The length of a value whose grammar names none; no key of the five systems comes near. */
    static final int MOST_BYTES = 1024;

    private static final int UNBOUNDED = 0;
    private static final String UNNAMED = "a text of a grammar without a name";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]*");
    private static final ByteClass LETTERS_AND_DIGITS = ByteClass.of("a-zA-Z0-9");

    private final String name;
    private final String description;
    private final Automaton automaton;
    private final int bound;
    private final ByteClass alphabet;
    private final boolean plain;

    /** Made when first needed: most grammars are only steps towards another one. */
    private volatile @Nullable LazyDfa dfa;

    private Grammar(String name, String description, Automaton automaton, int bound) {
        this.name = name;
        this.description = description;
        this.automaton = automaton;
        this.bound = bound;
        alphabet = automaton.alphabet();
        plain = automaton.plain();
    }

    /** One or more of these ASCII characters, written as in {@code a-zA-Z0-9_.~-}. */
    public static Grammar chars(String characters) {
        return oneOf(characters).repeated();
    }

    /** Exactly one of these ASCII characters. */
    public static Grammar oneOf(String characters) {
        return unnamed(Automaton.one(ByteClass.of(characters)));
    }

    /**
     * One or more of any bytes but these ASCII characters, which must not be letters or digits: two
     * such grammars then always have a letter in common, and a proof of theirs a readable witness.
     */
    public static Grammar anyBut(String characters) {
        ByteClass excluded = ByteClass.of(characters);
        if (excluded.intersects(LETTERS_AND_DIGITS)) {
            throw new IllegalArgumentException(
                    "Letters and digits cannot be excluded: " + characters);
        }
        return unnamed(Automaton.one(ByteClass.ALL.without(excluded)).repeated());
    }

    /** One or more of any bytes. */
    public static Grammar anything() {
        return unnamed(Automaton.one(ByteClass.ALL).repeated());
    }

    /** Exactly this text. */
    public static Grammar literal(String text) {
        byte[] bytes = Utf8.bytes(text);
        if (bytes == null) {
            throw new IllegalArgumentException("A literal must be Unicode");
        }
        return unnamed(Automaton.literal(bytes));
    }

    public Grammar then(Grammar next) {
        return unnamed(open().then(next.open()));
    }

    public Grammar or(Grammar other) {
        return unnamed(open().or(other.open()));
    }

    /** One or more times. */
    public Grammar repeated() {
        return unnamed(open().repeated());
    }

    /** Not at all, or once. */
    public Grammar optional() {
        return unnamed(open().optional());
    }

    /** So many times. Every repetition is made of states of its own: meant for small counts. */
    public Grammar times(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("Cannot be repeated %d times".formatted(count));
        }
        return unnamed(open().times(count));
    }

    /** The same, but never longer than this. Said last: what has a length is not combined. */
    public Grammar atMost(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("Cannot be bounded to %d bytes".formatted(bytes));
        }
        return new Grammar("", UNNAMED, open(), bytes);
    }

    /**
     * The same with the name by which patterns refer to it, and with words that continue "it must
     * be …". The length is added to them.
     */
    public Grammar named(String newName, String words) {
        if (!NAME.matcher(newName).matches()) {
            throw new IllegalArgumentException(
                    "The grammar name \"%s\" must be lower case letters, digits, _ and -"
                            .formatted(newName));
        }
        return new Grammar(newName, Objects.requireNonNull(words), automaton, bound);
    }

    /** The name by which patterns refer to it; empty if it has none. */
    public String name() {
        return name;
    }

    /** What is allowed, for an error message: "letters, digits and _ . ~ -, 1 to 255 bytes". */
    public String describe() {
        if (bound == UNBOUNDED) {
            return description;
        }
        String lengths = acceptsEmpty() ? "at most %d bytes" : "1 to %d bytes";
        return description + ", " + lengths.formatted(bound);
    }

    /** The length, in UTF-8 bytes, that no value may exceed. */
    public int maxBytes() {
        return bound == UNBOUNDED ? MOST_BYTES : bound;
    }

    public boolean matches(String value) {
        int length = value.length();
        if (length > maxBytes()) {
            return false;
        }
        if (!plain) {
            return matchesBytesOf(value);
        }
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                return matchesBytesOf(value);
            }
            if (!alphabet.has(c)) {
                return false;
            }
        }
        return length > 0;
    }

    public boolean matches(byte[] value) {
        return matches(value, 0, value.length);
    }

    /** Whether the empty text is a value. */
    public boolean acceptsEmpty() {
        return automaton.accepting(Automaton.START);
    }

    /** Whether some value contains this ASCII character. */
    public boolean mayContain(char character) {
        return character < 0x80 && alphabet.has(character);
    }

    boolean matches(byte[] text, int from, int to) {
        return to - from <= maxBytes() && dfa().accepts(text, from, to);
    }

    ByteClass alphabet() {
        return alphabet;
    }

    Automaton automaton() {
        return automaton;
    }

    LazyDfa dfa() {
        LazyDfa made = dfa;
        if (made == null) {
            made = new LazyDfa(automaton);
            dfa = made;
        }
        return made;
    }

    @Override
    public String toString() {
        return name.isEmpty() ? describe() : name;
    }

    private boolean matchesBytesOf(String value) {
        byte[] bytes = Utf8.bytes(value);
        return bytes != null && matches(bytes);
    }

    private Automaton open() {
        if (bound != UNBOUNDED) {
            throw new IllegalArgumentException(
                    "A grammar with a length is not combined; combine first, then say atMost");
        }
        return automaton;
    }

    private static Grammar unnamed(Automaton automaton) {
        return new Grammar("", UNNAMED, automaton, UNBOUNDED);
    }
}
