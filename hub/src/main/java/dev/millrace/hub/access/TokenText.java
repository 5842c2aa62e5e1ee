package dev.millrace.hub.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A token as its holder has it: {@code mr_k3v9x2ma_…}. The id between the underscores is no secret
 * and names the token in lists and logs. What follows are 30 random letters and digits (178 bits)
 * and a checksum of all before it, by which a mistyped token is told apart without looking anything
 * up, and by which those who search files for secrets can tell a token of ours from other text.
 *
 * <p>Stored is the SHA-256 of the secret. Slow hashes are for passwords, which people choose and
 * machines can try; 178 random bits nobody can try, however fast the hash, and a slow one would
 * cost every request.
 */
record TokenText(String id, String secret) {
    private static final String PREFIX = "mr_";

    /** Without those that are taken for one another. */
    private static final String ID_LETTERS = "abcdefghjkmnpqrstvwxyz0123456789";

    private static final String LETTERS =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final boolean[] IS_ID_LETTER = table(ID_LETTERS);
    private static final boolean[] IS_LETTER = table(LETTERS);
    private static final int ID_LENGTH = 8;
    private static final int SECRET_LENGTH = 30;
    private static final int CHECK_LENGTH = 6;
    private static final int SECRET_AT = PREFIX.length() + ID_LENGTH + 1;
    private static final int CHECK_AT = SECRET_AT + SECRET_LENGTH;
    static final int LENGTH = CHECK_AT + CHECK_LENGTH;

    private static final Pattern ID = Pattern.compile("[" + ID_LETTERS + "]{" + ID_LENGTH + "}");
    private static final SecureRandom RANDOM = new SecureRandom();

    static TokenText random() {
        return new TokenText(random(ID_LETTERS, ID_LENGTH), random(LETTERS, SECRET_LENGTH));
    }

    private static String random(String letters, int length) {
        StringBuilder text = new StringBuilder(length);
        RANDOM.ints(length, 0, letters.length()).forEach(i -> text.append(letters.charAt(i)));
        return text.toString();
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Empty if this cannot be a token of any Millrace; never fails. */
    static Optional<TokenText> parse(String text) {
        if (text.length() != LENGTH
                || !text.startsWith(PREFIX)
                || text.charAt(SECRET_AT - 1) != '_'
                || !all(IS_ID_LETTER, text, PREFIX.length(), SECRET_AT - 1)
                || !all(IS_LETTER, text, SECRET_AT, LENGTH)
                || !text.startsWith(check(text.substring(0, CHECK_AT)), CHECK_AT)) {
            return Optional.empty();
        }
        return Optional.of(
                new TokenText(
                        text.substring(PREFIX.length(), SECRET_AT - 1),
                        text.substring(SECRET_AT, CHECK_AT)));
    }

    private static boolean all(boolean[] letters, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c >= letters.length || !letters[c]) {
                return false;
            }
        }
        return true;
    }

    /** A table, since every request asks it for each of its letters. */
    private static boolean[] table(String letters) {
        boolean[] table = new boolean[128];
        letters.chars().forEach(c -> table[c] = true);
        return table;
    }

    /** CRC-32, which fits into six digits of base 62. */
    private static String check(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(ISO_8859_1));
        long left = sum.getValue();
        char[] digits = new char[CHECK_LENGTH];
        for (int i = CHECK_LENGTH - 1; i >= 0; i--) {
            digits[i] = LETTERS.charAt((int) (left % LETTERS.length()));
            left /= LETTERS.length();
        }
        return new String(digits);
    }

    /** The whole of it; only for its holder. */
    String text() {
        String whole = PREFIX + id + "_" + secret;
        return whole + check(whole);
    }

    byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(ISO_8859_1));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }

    /** Without the secret, since this goes into logs. */
    @Override
    public String toString() {
        return PREFIX + id + "_…";
    }
}
