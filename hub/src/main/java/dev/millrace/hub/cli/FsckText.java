package dev.millrace.hub.cli;

import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.check.CheckProgress;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.check.Finding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report of a check, for a person. */
final class FsckText {
    private FsckText() {}

    static String of(CheckReport report, boolean repair) {
        List<String> lines = new ArrayList<>();
        for (Finding finding : report.findings()) {
            lines.add(line(finding) + (finding.repaired() ? " (repaired)" : ""));
        }
        if (report.drift() > report.findings().size()) {
            lines.add("and %d more".formatted(report.drift() - report.findings().size()));
        }
        lines.add(
                "Compared %s and %s."
                        .formatted(
                                count(report.values(), "value", "values"),
                                count(report.entries(), "index entry", "index entries")));
        if (report.unknown() > 0) {
            lines.add(Terminal.strangers(report.unknown(), report.unknownExamples()));
        }
        lines.add(report.drift() == 0 ? "Nothing is wrong." : summary(report, repair));
        return String.join("\n", lines) + "\n";
    }

    /** How far it is, in a line. */
    static String progress(CheckProgress progress) {
        String left =
                progress.left().map(time -> ", about %s left".formatted(words(time))).orElse("");
        return String.format(
                Locale.ROOT,
                "%d %%: %,d keys, %,d a second%s; %s so far",
                progress.percent(),
                progress.done(),
                progress.perSecond(),
                left,
                count(progress.drift(), "difference", "differences"));
    }

    private static String words(Duration time) {
        long seconds = time.toSeconds();
        if (seconds < 100) {
            return Math.max(1, seconds) + " s";
        }
        return seconds < 6000 ? (seconds + 30) / 60 + " min" : (seconds + 1800) / 3600 + " h";
    }

    static String stopped() {
        return "stopped; nothing more was looked at. The next ./millrace fsck begins anew.";
    }

    private static String line(Finding finding) {
        String key = Terminal.shown(finding.key());
        String detail = Terminal.shown(finding.detail());
        String words =
                switch (finding.kind()) {
                    case UNDECODABLE -> detail; // it names the key
                    case UNFINISHED_MOVE -> key + ": " + detail;
                    case MISSING_ENTRY,
                            WRONG_SCORE,
                            STALE_ENTRY,
                            ORPHAN_ENTRY,
                            ORPHAN_LIST,
                            LEFTOVER,
                            UNIQUE_TWICE,
                            TWO_KINDS,
                            WRONG_TYPE,
                            STRAY,
                            HOME_POINTER ->
                            key + " " + detail;
                };
        return one(finding.kind()) + ": " + words;
    }

    private static String summary(CheckReport report, boolean repair) {
        List<String> kinds = new ArrayList<>();
        for (Finding.Kind kind : Finding.Kind.values()) {
            long count = report.found().getOrDefault(kind, 0L);
            if (count > 0) {
                kinds.add(count(count, one(kind), many(kind)));
            }
        }
        String found = "Found " + String.join(", ", kinds) + ".";
        if (!repair) {
            return found + " Nothing was changed; --repair mends what can be mended.";
        }
        return "%s %d repaired, %d left.".formatted(found, report.repaired(), report.left());
    }

    private static String count(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    private static String one(Finding.Kind kind) {
        return switch (kind) {
            case MISSING_ENTRY -> "missing entry";
            case WRONG_SCORE -> "wrong score";
            case STALE_ENTRY -> "stale entry";
            case ORPHAN_ENTRY -> "orphan entry";
            case ORPHAN_LIST -> "orphan list";
            case LEFTOVER -> "leftover";
            case UNIQUE_TWICE -> "unique field used twice";
            case TWO_KINDS -> "value of two kinds";
            case WRONG_TYPE -> "wrong type";
            case UNDECODABLE -> "unreadable value";
            case STRAY -> "stray value";
            case HOME_POINTER -> "wrong home pointer";
            case UNFINISHED_MOVE -> "unfinished move";
        };
    }

    private static String many(Finding.Kind kind) {
        return switch (kind) {
            case MISSING_ENTRY -> "missing entries";
            case WRONG_SCORE -> "wrong scores";
            case STALE_ENTRY -> "stale entries";
            case ORPHAN_ENTRY -> "orphan entries";
            case ORPHAN_LIST -> "orphan lists";
            case LEFTOVER -> "leftovers";
            case UNIQUE_TWICE -> "unique fields used twice";
            case TWO_KINDS -> "values of two kinds";
            case WRONG_TYPE -> "wrong types";
            case UNDECODABLE -> "unreadable values";
            case STRAY -> "stray values";
            case HOME_POINTER -> "wrong home pointers";
            case UNFINISHED_MOVE -> "unfinished moves";
        };
    }
}
