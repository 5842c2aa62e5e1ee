package dev.millrace.hub.cli;

import dev.millrace.hub.Rooms;
import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.backup.RestoreReport;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code restore}: a site from a backup. */
@Command(
        name = "restore",
        description = {
            "Fill an empty Redis from a backup: an embedded one, which is made if there is none, or"
                    + " the single server or cluster that redis.url names.",
            "What is there afterwards is compared with the file. No hub may run meanwhile.",
            "Ends with 0 if both are equal, 1 if not, 2 if it could not be done."
        })
final class RestoreCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    @Parameters(paramLabel = "FILE", description = "What ./millrace backup has written.")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        long began = System.nanoTime();
        try (SiteRedis site = SiteRedis.fill(options.settings())) {
            Terminal.note("restoring into " + site);
            Keyspace keyspace = new Keyspace(site.redis(), Rooms.catalogue());
            RestoreReport report = keyspace.restore(file, new BackupNotes());
            if (report.merged() > 0) {
                Terminal.note(BackupText.merged(report));
            }
            System.out.println(BackupText.of(report, System.nanoTime() - began));
            return report.equal() ? 0 : 1;
        }
    }
}
