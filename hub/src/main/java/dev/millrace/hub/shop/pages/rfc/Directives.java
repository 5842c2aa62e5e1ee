package dev.millrace.hub.shop.pages.rfc;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a {@code Cache-Control} says. Where a directive stands there twice, the smaller number
 * counts; a time that is no number is none at all, so that nothing is kept for longer than somebody
 * meant. Immutable.
 */
final class Directives {
    /** More than 68 years, which RFC 9111 takes for ever. */
    private static final long FOR_EVER = Integer.MAX_VALUE;

    static final Directives NONE = new Directives(Map.of());

    private final Map<String, String> all;

    private Directives(Map<String, String> all) {
        this.all = all;
    }

    static Directives of(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        Map<String, String> all = new LinkedHashMap<>();
        int at = 0;
        while (at < text.length()) {
            int end = endOfMember(text, at);
            take(text.substring(at, end), all);
            at = end + 1;
        }
        return new Directives(all);
    }

    /** A comma in quotes ends nothing; quotes that are never closed reach to the end. */
    private static int endOfMember(String text, int from) {
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++;
            } else if (c == ',' && !quoted) {
                return i;
            }
        }
        return text.length();
    }

    private static void take(String member, Map<String, String> all) {
        int equals = member.indexOf('=');
        String name = (equals < 0 ? member : member.substring(0, equals)).strip();
        if (name.isEmpty()) {
            return;
        }
        String value = equals < 0 ? "" : member.substring(equals + 1).strip();
        if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
            value = value.substring(1, value.length() - 1);
        }
        all.merge(name.toLowerCase(Locale.ROOT), value, Directives::smaller);
    }

    private static String smaller(String one, String other) {
        return seconds(one) <= seconds(other) ? one : other;
    }

    boolean has(String name) {
        return all.containsKey(name);
    }

    /** A time in seconds, 0 if what stands there is none; empty if the directive is not there. */
    OptionalLong seconds(String... names) {
        for (String name : names) {
            String value = all.get(name);
            if (value != null) {
                return OptionalLong.of(seconds(value));
            }
        }
        return OptionalLong.empty();
    }

    private static long seconds(String text) {
        if (text.isEmpty()
                || text.length() > 30
                || !text.chars().allMatch(each -> each >= '0' && each <= '9')) {
            return 0;
        }
        String digits = text.replaceFirst("^0+(?=.)", "");
        return digits.length() > 10 ? FOR_EVER : Math.min(FOR_EVER, Long.parseLong(digits));
    }
}
