package dev.millrace.hub.http;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Takes a query apart. */
final class QueryText {
    /** More than any client of ours sends; a bound all the same. */
    private static final int MOST = 1000;

    private QueryText() {}

    static void parse(@Nullable String raw, Map<String, List<String>> into) {
        if (raw == null || raw.isEmpty()) {
            return;
        }
        int count = 0;
        for (String pair : raw.split("&", -1)) {
            if (++count > MOST) {
                throw Problem.of(Code.BAD_PARAMETER, "More than 1000 parameters.");
            }
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = decode(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
                into.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
            }
        }
    }

    private static String decode(String raw) {
        String text = PathText.decode(raw, true);
        if (text == null) {
            throw Problem.of(Code.BAD_PARAMETER, "The query is not valid: UTF-8, percent-encoded.");
        }
        return text;
    }
}
