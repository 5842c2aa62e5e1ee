package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was wrong, each kind of it a few times, with what is needed to see it again alone.
 * Thread-safe.
 */
final class Faults {
    /** More examples of the same fault would only hide the others. */
    private static final int EXAMPLES = 2;

    private static final int MOST_SILENT = 3 * 60_000 / Target.PATIENCE_MILLIS;
    private static final int SHOWN_BYTES = 1500;

    /** A fault for which one waits to the end; after a few of them the client goes home. */
    static final String SILENT = "no answer";

    private final Map<String, List<String>> found = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();

    /** Where a step is, and what it has sent so far. */
    record Place(long seed, Kind kind, int client, int step) {
        @Override
        public String toString() {
            return "-Dmillrace.fuzz.seed=%d -Dmillrace.fuzz.only=%s/%d/%d"
                    .formatted(seed, kind.word(), client, step);
        }
    }

    synchronized void add(String what, Place place, byte[] sent, String heard) {
        counts.merge(what, 1, Integer::sum);
        List<String> examples = found.computeIfAbsent(what, each -> new ArrayList<>());
        if (examples.size() < EXAMPLES) {
            examples.add("  %s\n    sent  %s\n    heard %s".formatted(place, shown(sent), heard));
        }
    }

    /** A fault of the hub as a whole. */
    synchronized void add(String what, String detail) {
        counts.merge(what, 1, Integer::sum);
        List<String> examples = found.computeIfAbsent(what, each -> new ArrayList<>());
        if (examples.size() < EXAMPLES) {
            examples.add("  " + detail);
        }
    }

    synchronized boolean tooSilent() {
        return counts.entrySet().stream()
                        .filter(each -> each.getKey().contains(SILENT))
                        .mapToInt(Map.Entry::getValue)
                        .sum()
                > MOST_SILENT;
    }

    synchronized boolean none() {
        return found.isEmpty();
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder();
        found.forEach(
                (what, examples) -> {
                    text.append("%s (%d times)\n".formatted(what, counts.get(what)));
                    examples.forEach(each -> text.append(each).append('\n'));
                });
        return text.toString();
    }

    /** As a Java string would be written, so that it can be pasted. */
    static String shown(byte[] bytes) {
        StringBuilder text = new StringBuilder("\"");
        String letters = new String(bytes, 0, Math.min(bytes.length, SHOWN_BYTES), ISO_8859_1);
        for (int i = 0; i < letters.length(); i++) {
            char c = letters.charAt(i);
            switch (c) {
                case '\r' -> text.append("\\r");
                case '\n' -> text.append("\\n");
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                default -> {
                    if (c < ' ' || c > '~') {
                        text.append("\\u%04x".formatted((int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
        if (bytes.length > SHOWN_BYTES) {
            text.append(" … %d bytes".formatted(bytes.length));
        }
        return text.toString();
    }
}
