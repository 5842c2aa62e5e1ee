package dev.millrace.hub.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** What somebody who mistyped a name most probably meant. */
final class Spelling {
    private Spelling() {}

    /** Ends a sentence with {@code ; did you mean redis.url?}, or with where to look. */
    static String meant(String name, Collection<String> known) {
        int close = Math.max(2, name.length() / 3);
        return known.stream()
                .min(Comparator.comparingInt(each -> distance(name, each)))
                .filter(each -> distance(name, each) <= close)
                .map("; did you mean %s?"::formatted)
                .orElse("; ./millrace check lists them all.");
    }

    /** A sentence about a name that no setting has. */
    static String unknown(String name, Keys keys) {
        // What is not a word may be a value that lost its key, and with it a password.
        String named = isWord(name) ? "'" + name + "'" : "of that name";
        return "There is no setting %s%s".formatted(named, meant(name, keys.names()));
    }

    /** Whether this looks like a name and can hold no address or password. */
    static boolean isWord(String text) {
        return text.matches("[A-Za-z0-9_.-]{1,40}");
    }

    /** Letters to insert, delete, replace (Levenshtein), whatever their case. */
    private static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
