package dev.millrace.keyspace.pattern;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The grammars that pattern texts may name: the standard ones, and what a program adds for itself.
 * A value, not a registry: adding makes a new one. Immutable, thread-safe.
 */
public final class Grammars {
    /** The grammar of a variable that names none. */
    static final Grammar ANY = Grammar.anything().atMost(1024).named("any", "any text");

    private static final String NAME_CHARS = "a-zA-Z0-9_.~-";

    private static final Grammars STANDARD = new Grammars(Map.of()).with(standardOnes());

    private final Map<String, Grammar> byName;

    private Grammars(Map<String, Grammar> byName) {
        this.byName = Collections.unmodifiableMap(byName);
    }

    /**
     * {@code any}, {@code name}, {@code token}, {@code tag}, {@code path}, {@code documentkey},
     * {@code number}, {@code uuid}, {@code objectid}, {@code id}, {@code date} and {@code hour}.
     */
    public static Grammars standard() {
        return STANDARD;
    }

    /** These and some more. A name has one meaning: the same one twice is refused. */
    public Grammars with(Grammar... more) {
        Map<String, Grammar> all = new LinkedHashMap<>(byName);
        for (Grammar grammar : more) {
            if (grammar.name().isEmpty()) {
                throw new IllegalArgumentException(
                        "A grammar needs a name before patterns can use it");
            }
            if (all.putIfAbsent(grammar.name(), grammar) != null) {
                throw new IllegalArgumentException(
                        "There is a grammar \"%s\" already".formatted(grammar.name()));
            }
        }
        return new Grammars(all);
    }

    public Optional<Grammar> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** In the order in which they were added. */
    public Collection<Grammar> all() {
        return byName.values();
    }

    /** The known name that somebody who wrote this one most probably meant. */
    Optional<String> meant(String name) {
        int close = Math.max(1, name.length() / 2);
        return byName.keySet().stream()
                .filter(known -> distance(name, known) <= close)
                .min(Comparator.comparingInt(known -> distance(name, known)));
    }

    private static Grammar[] standardOnes() {
        Grammar name = Grammar.chars(NAME_CHARS);
        Grammar digit = Grammar.oneOf("0-9");
        Grammar hex = Grammar.oneOf("0-9a-fA-F");
        Grammar dash = Grammar.literal("-");
        Grammar group = dash.then(hex.times(4));
        Grammar uuid = hex.times(8).then(group.times(3)).then(dash).then(hex.times(12));
        Grammar objectid = hex.times(24);
        Grammar date = digit.times(8);
        String nameWords = "letters, digits and _ . ~ -";
        String uuidWords = "a UUID (hexadecimal digits, 8-4-4-4-12)";
        return new Grammar[] {
            ANY,
            name.atMost(255).named("name", nameWords),
            Grammar.chars("!-9;-z|~")
                    .atMost(255)
                    .named("token", "visible ASCII characters without : { }"),
            // Braces would cut short or move the hash tag that the variable is to be.
            Grammar.anyBut("{}").atMost(1024).named("tag", "any text without { }"),
            name.then(Grammar.literal(":").then(name).repeated().optional())
                    .atMost(1024)
                    .named("path", "names of " + nameWords + ", joined by :"),
            // Of Brewblox: namespace and id by its regular expressions, so a::b is one as well.
            Grammar.chars(":" + NAME_CHARS)
                    .optional()
                    .then(Grammar.literal(":"))
                    .optional()
                    .then(name)
                    .atMost(1024)
                    .named("documentkey", nameWords + ", with : inside, the last part not empty"),
            dash.optional()
                    .then(digit.repeated())
                    .atMost(20)
                    .named("number", "digits, with or without a minus sign"),
            uuid.named("uuid", uuidWords),
            objectid.named("objectid", "24 hexadecimal digits"),
            uuid.or(objectid).named("id", uuidWords + " or 24 hexadecimal digits"),
            date.named("date", "a date as yyyyMMdd"),
            date.optional().then(digit.times(2)).named("hour", "an hour as HH or yyyyMMddHH"),
        };
    }

    /** Letters to insert, delete, replace (Levenshtein). */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
