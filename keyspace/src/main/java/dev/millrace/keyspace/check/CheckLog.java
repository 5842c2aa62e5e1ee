package dev.millrace.keyspace.check;

import dev.millrace.keyspace.layout.KeyType;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gathers what a check sees; keeps counts of everything and the first findings in full. */
final class CheckLog {
    private static final int KEPT = 1000;
    private static final int EXAMPLES = 20;

    private final Map<Finding.Kind, Long> found = new EnumMap<>(Finding.Kind.class);
    private final List<Finding> findings = new ArrayList<>();
    private final Set<Finding> once = new HashSet<>();
    private final List<String> examples = new ArrayList<>();
    private long unknown;
    private long repaired;
    private long values;
    private long entries;

    void found(Finding.Kind kind, String layout, String key, String detail, boolean mended) {
        Finding finding = new Finding(kind, layout, key, detail, mended);
        if (findings.size() < KEPT ? !once.add(finding) : once.contains(finding)) {
            return; // SCAN gives some keys twice when a table grows or shrinks meanwhile
        }
        found.merge(kind, 1L, Long::sum);
        repaired += mended ? 1 : 0;
        if (findings.size() < KEPT) {
            findings.add(finding);
        }
    }

    void wrongType(String layout, String key, String found, KeyType expected) {
        String detail = "is a %s, not a %s".formatted(found, expected.redisName());
        found(Finding.Kind.WRONG_TYPE, layout, key, detail, false);
    }

    void unknown(String key) {
        unknown++;
        if (examples.size() < EXAMPLES) {
            examples.add(key);
        }
    }

    void value() {
        values++;
    }

    void entry() {
        entries++;
    }

    long entries() {
        return entries;
    }

    long drift() {
        return found.values().stream().mapToLong(Long::longValue).sum();
    }

    List<Finding> findings() {
        return findings;
    }

    CheckReport report(CheckReport.End end) {
        return new CheckReport(end, values, entries, unknown, examples, found, repaired, findings);
    }
}
