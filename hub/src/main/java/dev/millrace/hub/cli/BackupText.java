package dev.millrace.hub.cli;

import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.backup.BackupProgress;
import dev.millrace.keyspace.backup.BackupReport;
import dev.millrace.keyspace.backup.RestoreReport;

import java.util.Locale;

/** What {@code backup} and {@code restore} say. */
final class BackupText {
    private BackupText() {}

    static String progress(BackupProgress progress) {
        String keys =
                progress.ofAbout() > 0
                        ? count(progress.keys()) + " of about " + count(progress.ofAbout())
                        : count(progress.keys());
        return switch (progress.step()) {
            case PREPARING -> "Redis prepares its snapshot";
            case WRITING ->
                    "writing: %s keys, %s".formatted(keys, MemoryText.bytes(progress.bytes()));
            case READING -> "reading the file: %s keys".formatted(keys);
            case RESTORING -> "restoring: %s keys".formatted(keys);
            case COMPARING -> "comparing: %s keys".formatted(keys);
        };
    }

    static String of(BackupReport report, long nanos) {
        return "%s keys, %s, checksum %s, in %s"
                .formatted(
                        count(report.keys()),
                        MemoryText.bytes(report.bytes()),
                        report.checksum(),
                        seconds(nanos));
    }

    static String of(RestoreReport report, long nanos) {
        String expired =
                report.expired() == 0
                        ? ""
                        : " (and %s that have expired since)".formatted(count(report.expired()));
        return report.equal()
                ? "%s keys%s, checksum %s, equal to the backup of %s, in %s"
                        .formatted(
                                count(report.keys()),
                                expired,
                                report.found(),
                                Terminal.time(report.head().made()),
                                seconds(nanos))
                : ("NOT EQUAL: the backup has checksum %s, and what is in Redis now has %s. Did"
                                + " somebody else write to it? No hub will run on it: empty it and"
                                + " restore again.")
                        .formatted(report.expected(), report.found());
    }

    /** Only from a cluster into a single server. */
    static String merged(RestoreReport report) {
        return ("%s values were in several shards of the cluster under one name; of each, the one"
                        + " that lives longer was kept.")
                .formatted(count(report.merged()));
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }
}
