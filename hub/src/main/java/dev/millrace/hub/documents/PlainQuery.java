package dev.millrace.hub.documents;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/**
 * Reads what nearly every get sends: an object of two texts in which nothing is escaped. A parser
 * for all of JSON costs more than the rest of such a call. Whatever is unusual, wrong or not, is
 * left to one.
 */
final class PlainQuery {
    private final byte[] body;
    private int at;

    private PlainQuery(byte[] body) {
        this.body = body;
    }

    /** Null if it is anything else; the bytes are known to be UTF-8. */
    static Queries.@Nullable Single read(byte[] body) {
        PlainQuery query = new PlainQuery(body);
        if (!query.take('{')) {
            return null;
        }
        String namespace = null;
        String id = null;
        do {
            String name = query.text();
            String value = name != null && query.take(':') ? query.text() : null;
            if (value == null) {
                return null;
            }
            switch (name) {
                case "namespace" -> namespace = value;
                case "id" -> id = value;
                case null, default -> {
                    return null;
                }
            }
        } while (query.take(','));
        return query.take('}') && query.isRead() && namespace != null && id != null
                ? new Queries.Single(namespace, id)
                : null;
    }

    private boolean take(char sign) {
        skipSpace();
        boolean there = at < body.length && body[at] == sign;
        if (there) {
            at++;
        }
        return there;
    }

    private boolean isRead() {
        skipSpace();
        return at == body.length;
    }

    private void skipSpace() {
        while (at < body.length
                && (body[at] == ' ' || body[at] == '\n' || body[at] == '\r' || body[at] == '\t')) {
            at++;
        }
    }

    /** Null if it is none, has no end, or has something in it that stands for something else. */
    private @Nullable String text() {
        if (!take('"')) {
            return null;
        }
        for (int from = at; at < body.length; at++) {
            byte each = body[at];
            if (each == '"') {
                return new String(body, from, at++ - from, StandardCharsets.UTF_8);
            }
            boolean control = each >= 0 && each < ' ';
            if (each == '\\' || control) {
                return null;
            }
        }
        return null;
    }
}
