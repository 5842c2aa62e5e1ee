package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns raw replies into what the engine works with. */
final class Replies {
    private Replies() {}

    static List<?> list(@Nullable Object reply) {
        return reply == null ? List.of() : (List<?>) reply;
    }

    static @Nullable String text(@Nullable Object reply) {
        return reply == null ? null : new String((byte[]) reply, UTF_8);
    }

    static String textOrEmpty(@Nullable Object reply) {
        String text = text(reply);
        return text == null ? "" : text;
    }

    /** Bytes, none if there are none. */
    static byte[] bytes(@Nullable Object reply) {
        return reply == null ? new byte[0] : (byte[]) reply;
    }

    static long number(@Nullable Object reply) {
        return reply == null ? 0 : (Long) reply;
    }

    static boolean isPresent(@Nullable Object reply) {
        return reply instanceof byte[] || (reply instanceof Long number && number != 0);
    }

    /** The value of an entity, or null if there is none. */
    static @Nullable Raw raw(Layout<?> layout, @Nullable Object reply) {
        if (layout.type() == KeyType.STRING) {
            return reply instanceof byte[] bytes ? new Raw.Text(bytes) : null;
        }
        if (!(reply instanceof List<?> flat) || flat.isEmpty()) {
            return null;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            fields.put(textOrEmpty(flat.get(i)), textOrEmpty(flat.get(i + 1)));
        }
        return new Raw.Fields(fields);
    }
}
