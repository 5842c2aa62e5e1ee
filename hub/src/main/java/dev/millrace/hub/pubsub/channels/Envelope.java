package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.http.Utf8;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A message as it is stored: {@code {"id":"…","content":…}}. Written without white space; read
 * whatever the order of its members, and with others among them, because other servers may have
 * written it. The content is never made into anything: it stays the text it came as.
 *
 * @param id of the message
 * @param bytes of all of it
 * @param content where in them the content is
 */
public record Envelope(String id, byte[] bytes, JsonSpans.Span content) {
    private static final byte[] HEAD = ascii("{\"id\":\"");
    private static final byte[] MIDDLE = ascii("\",\"content\":");

    /** The bytes to be stored. */
    public static byte[] of(String id, byte[] text, JsonSpans.Span content) {
        byte[] name = ascii(id);
        int length = content.to() - content.from();
        byte[] all = new byte[HEAD.length + name.length + MIDDLE.length + length + 1];
        int at = put(all, 0, HEAD, 0, HEAD.length);
        at = put(all, at, name, 0, name.length);
        at = put(all, at, MIDDLE, 0, MIDDLE.length);
        at = put(all, at, text, content.from(), length);
        all[at] = '}';
        return all;
    }

    private static int put(byte[] target, int at, byte[] source, int from, int length) {
        System.arraycopy(source, from, target, at, length);
        return at + length;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** What was stored; empty if it is nothing that could be delivered. */
    public static Optional<Envelope> read(byte[] bytes) {
        return Utf8.isText(bytes) ? read(bytes, "id") : Optional.empty();
    }

    /**
     * An object with an id and a content, in a text that is UTF-8.
     *
     * @param idName under which the id stands in it
     */
    public static Optional<Envelope> read(byte[] bytes, String idName) {
        int at = JsonSpans.skipSpace(bytes, 0);
        if (at == bytes.length || bytes[at] != '{') {
            return Optional.empty();
        }
        String id = null;
        JsonSpans.Span content = JsonSpans.Span.NONE;
        do {
            int name = JsonSpans.skipSpace(bytes, at + 1);
            int nameEnd = JsonSpans.end(bytes, name);
            int colon = nameEnd < 0 ? bytes.length : JsonSpans.skipSpace(bytes, nameEnd);
            if (colon >= bytes.length || bytes[colon] != ':' || bytes[name] != '"') {
                return Optional.empty();
            }
            int value = JsonSpans.skipSpace(bytes, colon + 1);
            int valueEnd = JsonSpans.end(bytes, value);
            if (valueEnd < 0) {
                return Optional.empty();
            }
            if (same(bytes, name, nameEnd, idName) && bytes[value] == '"') {
                id = new String(bytes, value + 1, valueEnd - value - 2, StandardCharsets.UTF_8);
            } else if (same(bytes, name, nameEnd, "content")) {
                content = new JsonSpans.Span(value, valueEnd);
            }
            at = JsonSpans.skipSpace(bytes, valueEnd);
        } while (at < bytes.length && bytes[at] == ',');
        boolean whole = at < bytes.length && bytes[at] == '}';
        // An id that is none of ours could break the answer that it is pasted into.
        return !whole || id == null || content.isEmpty() || !MessageNames.isValid(id)
                ? Optional.empty()
                : Optional.of(new Envelope(id, bytes, content));
    }

    private static boolean same(byte[] bytes, int from, int to, String name) {
        if (to - from != name.length() + 2) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (bytes[from + 1 + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** As clients get it. */
    public void write(ByteArrayOutputStream out) {
        out.writeBytes(ascii("{\"messageID\":\""));
        out.writeBytes(ascii(id));
        out.writeBytes(MIDDLE);
        out.write(bytes, content.from(), content.to() - content.from());
        out.write('}');
    }
}
