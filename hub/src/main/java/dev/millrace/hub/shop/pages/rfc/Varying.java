package dev.millrace.hub.shop.pages.rfc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** What tells the variants of one page apart: the request's headers that its {@code Vary} names. */
public final class Varying {
    private static final String ENCODING = "accept-encoding";

    private Varying() {}

    /**
     * The names in small letters, sorted, each once; none if all who ask get the same. A body that
     * is compressed is for those who said that they can read it, even if the application forgot to
     * say so.
     */
    public static List<String> names(Fields answer) {
        TreeSet<String> names = new TreeSet<>(answer.members("Vary"));
        if (answer.members("Content-Encoding").stream()
                .anyMatch(each -> !each.equals("identity"))) {
            names.add(ENCODING);
        }
        return List.copyOf(names);
    }

    /** What a request says in those headers. Two that say the same get the same page. */
    public static List<String> values(List<String> names, Fields asked) {
        List<String> values = new ArrayList<>();
        for (String name : names) {
            values.add(name.equals(ENCODING) ? codings(asked) : plain(asked.joined(name)));
        }
        return values;
    }

    private static String plain(String value) {
        return value.strip().replaceAll("[ \\t]*,[ \\t]*", ",");
    }

    /**
     * Browsers list the same codings in many ways. Where no order of preference is written down,
     * the order of writing says nothing.
     */
    private static String codings(Fields asked) {
        TreeSet<String> wanted = new TreeSet<>();
        for (String member : asked.members(ENCODING)) {
            String[] parts = member.split(";", 2);
            String weight = parts.length == 1 ? "1" : parts[1].replace(" ", "");
            if (weight.matches("q=0(\\.0*)?")) {
                continue;
            }
            if (!weight.matches("1|q=1(\\.0*)?")) {
                return plain(asked.joined(ENCODING)).toLowerCase(Locale.ROOT);
            }
            wanted.add(parts[0].strip());
        }
        return String.join(",", wanted);
    }
}
