package dev.millrace.hub.settings;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hands out the values of settings. After a mistake it goes on with the default, so that a person
 * hears of all mistakes at once; nothing may be done with values as long as there are {@link
 * #problems}. For one thread.
 */
public final class Values {
    /** User and password of an address, up to the last @ of the word. */
    private static final Pattern CREDENTIALS = Pattern.compile("://\\S*@");

    /** From the first quote to the last: a password may have one inside. */
    private static final Pattern QUOTED = Pattern.compile("'.*'", Pattern.DOTALL);

    private static final String HIDDEN = "***";

    private final Map<String, Given> given;
    private final List<String> problems;
    private final Set<String> wrong = new HashSet<>();

    Values(Map<String, Given> given, List<String> problems) {
        this.given = new HashMap<>(given);
        this.problems = new ArrayList<>(problems);
    }

    /** The value of a setting; its default where nobody gave one, or a wrong one. */
    public <T> T get(Key<T> key) {
        Given found = found(key);
        if (found.items().isEmpty()) {
            return key.fallback();
        }
        try {
            return key.kind().read(found.items());
        } catch (IllegalArgumentException e) {
            problem(key, String.valueOf(e.getMessage()));
            return key.fallback();
        }
    }

    /**
     * Notes a mistake; the sentence will begin with the place where the value was written.
     *
     * @param sentence with values in single quotes, so that they can be hidden where they must be
     */
    public void problem(Key<?> key, String sentence) {
        // A value that is read twice is wrong once.
        String told = found(key).origin().head(key) + ": " + harmless(key, sentence);
        wrong.add(key.name());
        problem(told);
    }

    /** Notes a mistake by a whole sentence, for parts of settings that know where they stand. */
    public void problem(String sentence) {
        if (!problems.contains(sentence)) {
            problems.add(sentence);
        }
    }

    /** What stands below a setting that is a {@link Kind#tree}. */
    public Tree tree(Key<?> key) {
        Given found = found(key);
        return found.tree() == null ? new Tree.Nothing(found.origin()) : found.tree();
    }

    /** Takes what a file of the feature's own says about a setting; all else counts more. */
    public void underlay(Key<?> key, Tree tree) {
        Given file = Given.of(key, tree, tree.place());
        given.merge(key.name(), file, (stronger, weaker) -> weaker.under(key, stronger));
    }

    /** Whether nothing was wrong with a setting so far; else its value says nothing. */
    public boolean isRight(Key<?> key) {
        return !wrong.contains(key.name());
    }

    /** Where the value of a setting came from. */
    public Origin origin(Key<?> key) {
        return found(key).origin();
    }

    /** The value of a setting as it may be shown to anybody. */
    public String shown(Key<?> key) {
        List<String> items = found(key).items();
        String text = items.isEmpty() ? key.standard() : String.join(", ", items);
        if (text.isEmpty()) {
            return "";
        }
        return switch (key.secrecy()) {
            case OPEN -> text;
            // A wrong address may hold a password where none is looked for.
            case ADDRESS ->
                    isRight(key)
                            ? CREDENTIALS.matcher(text).replaceAll("://" + HIDDEN + "@")
                            : HIDDEN;
            case SECRET -> HIDDEN;
        };
    }

    /** A sentence for every mistake so far. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /**
     * Goes on only if nothing is wrong.
     *
     * @throws BadSettingsException otherwise
     */
    public void mustBeRight() {
        if (!problems.isEmpty()) {
            throw new BadSettingsException(problems);
        }
    }

    private Given found(Key<?> key) {
        return given.getOrDefault(key.name(), new Given(List.of(), new Origin.Standard()));
    }

    private static String harmless(Key<?> key, String sentence) {
        if (key.secrecy() == Key.Secrecy.OPEN) {
            return sentence;
        }
        // The beginning of an address is what people get wrong, and holds no secret.
        return QUOTED.matcher(sentence)
                .replaceAll(
                        quoted ->
                                quoted.group().matches("'([a-z-]*://)?'")
                                        ? Matcher.quoteReplacement(quoted.group())
                                        : "'" + HIDDEN + "'");
    }
}
