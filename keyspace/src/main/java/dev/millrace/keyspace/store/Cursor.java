package dev.millrace.keyspace.store;

import dev.millrace.keyspace.layout.Entry;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A place in an index: just behind an entry with this score and member. It stays good when entries
 * come and go, also inside a group of equal scores, and when its own entry is deleted.
 */
public record Cursor(double score, String member) {

    /** Opaque text for a client; {@link #parse} takes it back. */
    public String text() {
        String plain = Entry.score(score) + " " + member;
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Takes the text of a cursor back.
     *
     * @throws IllegalArgumentException if this is not a text of a cursor
     */
    public static Cursor parse(String text) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            int blank = plain.indexOf(' ');
            return new Cursor(
                    Double.parseDouble(plain.substring(0, Math.max(blank, 0))),
                    plain.substring(blank + 1));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a valid cursor; use the one from the page before.", e);
        }
    }
}
