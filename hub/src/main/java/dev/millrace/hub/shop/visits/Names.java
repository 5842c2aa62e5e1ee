package dev.millrace.hub.shop.visits;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** What tokens, items and users may be called. */
public final class Names {
    public static final int LONGEST_ITEM = 256;
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{16,128}");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 24;

    private Names() {}

    public static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    /** Items, rows and users: 1 to 256 characters, none of which controls anything. */
    public static boolean isItem(String text) {
        return !text.isEmpty()
                && text.codePointCount(0, text.length()) <= LONGEST_ITEM
                && text.codePoints().noneMatch(Names::isBad);
    }

    private static boolean isBad(int character) {
        return Character.isISOControl(character)
                || (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE);
    }

    /** A token that nobody can guess. */
    static String newToken() {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
