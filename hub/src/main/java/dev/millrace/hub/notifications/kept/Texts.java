package dev.millrace.hub.notifications.kept;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/** What is absent in JSON is empty here: these systems make no difference between the two. */
public final class Texts {
    private static final char REPLACEMENT = '\uFFFD';

    private Texts() {}

    /** JSON can spell halves of characters, which no text can hold: they are replaced. */
    public static String text(@Nullable String given) {
        if (given == null) {
            return "";
        }
        for (int i = 0; i < given.length(); i++) {
            if (isHalf(given, i)) {
                StringBuilder whole = new StringBuilder(given);
                for (int j = i; j < whole.length(); j++) {
                    if (isHalf(whole, j)) {
                        whole.setCharAt(j, REPLACEMENT);
                    }
                }
                return whole.toString();
            }
        }
        return given;
    }

    private static boolean isHalf(CharSequence text, int at) {
        char c = text.charAt(at);
        return Character.isHighSurrogate(c)
                ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
                : Character.isLowSurrogate(c)
                        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }

    /** The beginning of a text that may be too long. */
    public static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "…";
    }

    static List<String> texts(@Nullable List<String> given) {
        return given == null ? List.of() : given.stream().map(Texts::text).toList();
    }

    static <T> List<T> list(@Nullable List<T> given) {
        return given == null ? List.of() : given.stream().filter(Objects::nonNull).toList();
    }
}
