package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.http.Utf8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Walks over JSON without making anything of it. Messages are stored and given back as the text
 * they came as, so all that is wanted of a parser is whether it is JSON (RFC 8259, nothing more
 * generous) and where a value ends.
 */
public final class JsonSpans {
    /** Deeper ones would be a danger to whoever reads them with a parser that calls itself. */
    static final int MOST_LEVELS = 1000;

    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final byte[] text;

    /** For each open level, counted from 1, whether it is an object. */
    private boolean[] objects = new boolean[16];

    private int at;

    private JsonSpans(byte[] text, int from) {
        this.text = text;
        this.at = from;
    }

    /** Where something is in a text, without what is around it. */
    public record Span(int from, int to) {
        static final Span NONE = new Span(0, 0);

        public boolean isEmpty() {
            return from == to;
        }
    }

    /** Where the one value of this text is; empty if it is not JSON, or too deep. */
    public static Span only(byte[] text) {
        if (!Utf8.isText(text)) {
            return Span.NONE;
        }
        JsonSpans json = new JsonSpans(text, 0);
        json.space();
        int from = json.at;
        if (!json.value()) {
            return Span.NONE;
        }
        int to = json.at;
        json.space();
        return json.at == text.length ? new Span(from, to) : Span.NONE;
    }

    /** Where the value that begins here ends; -1 if there is none. The text must be UTF-8. */
    static int end(byte[] text, int from) {
        JsonSpans json = new JsonSpans(text, from);
        return json.value() ? json.at : -1;
    }

    /** Where the elements of a list are, in a text that is JSON; none if it is not a list. */
    public static List<Span> elements(byte[] text) {
        List<Span> elements = new ArrayList<>();
        int at = skipSpace(text, 0);
        while (text[at] == '[' || text[at] == ',') {
            int from = skipSpace(text, at + 1);
            if (text[from] == ']') {
                break;
            }
            int to = end(text, from);
            elements.add(new Span(from, to));
            at = skipSpace(text, to);
        }
        return elements;
    }

    /** The first place from here that is not white space. */
    static int skipSpace(byte[] text, int from) {
        JsonSpans json = new JsonSpans(text, from);
        json.space();
        return json.at;
    }

    private void space() {
        while (at < text.length
                && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    private boolean take(char wanted) {
        if (at < text.length && text[at] == wanted) {
            at++;
            return true;
        }
        return false;
    }

    /** One value with all that is in it; a loop, so that no depth can break it. */
    private boolean value() {
        int level = 0;
        while (true) {
            boolean object = take('{');
            boolean opened = object || take('[');
            if (opened ? level == MOST_LEVELS : !scalar()) {
                return false;
            }
            if (opened) {
                level++;
                if (level == objects.length) {
                    objects = Arrays.copyOf(objects, 2 * level);
                }
                objects[level] = object;
            }
            // Behind a value, or behind an opening bracket.
            while (true) {
                if (level == 0) {
                    return true;
                }
                space();
                if (take(objects[level] ? '}' : ']')) {
                    level--;
                    opened = false;
                    continue;
                }
                if (!opened && !take(',')) {
                    return false;
                }
                break;
            }
            space();
            if (objects[level]) {
                if (!string()) {
                    return false;
                }
                space();
                if (!take(':')) {
                    return false;
                }
                space();
            }
        }
    }

    private boolean scalar() {
        if (at == text.length) {
            return false;
        }
        return switch (text[at]) {
            case '"' -> string();
            case 't' -> word(TRUE);
            case 'f' -> word(FALSE);
            case 'n' -> word(NULL);
            default -> number();
        };
    }

    private boolean word(byte[] word) {
        for (byte letter : word) {
            if (!take((char) letter)) {
                return false;
            }
        }
        return true;
    }

    private boolean number() {
        take('-');
        if (!take('0') && !digits()) {
            return false;
        }
        if (take('.') && !digits()) {
            return false;
        }
        if (take('e') || take('E')) {
            if (!take('+')) {
                take('-');
            }
            return digits();
        }
        return true;
    }

    private boolean digits() {
        int from = at;
        while (at < text.length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at > from;
    }

    private boolean string() {
        if (!take('"')) {
            return false;
        }
        while (at < text.length) {
            byte letter = text[at++];
            if (letter == '"') {
                return true;
            }
            if (letter == '\\') {
                if (!escape()) {
                    return false;
                }
            } else if (letter >= 0 && letter < ' ') {
                return false;
            }
        }
        return false;
    }

    private boolean escape() {
        if (at == text.length) {
            return false;
        }
        byte letter = text[at++];
        if (letter != 'u') {
            return "\"\\/bfnrt".indexOf(letter) >= 0;
        }
        for (int i = 0; i < 4; i++) {
            if (at == text.length || Character.digit(text[at++], 16) < 0) {
                return false;
            }
        }
        return true;
    }
}
