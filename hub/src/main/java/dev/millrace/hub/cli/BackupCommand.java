package dev.millrace.hub.cli;

import dev.millrace.hub.Hub;
import dev.millrace.hub.Rooms;
import dev.millrace.hub.SettingNames;
import dev.millrace.hub.Settings;
import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.backup.BackupReport;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code backup}: everything of this site in one file. */
@Command(
        name = "backup",
        description = {
            "Write everything that this site holds to a file, as it is at one moment, while hubs go"
                    + " on serving.",
            "The file can be restored into a single server and into a cluster, wherever it is"
                    + " from.",
            "Ends with 0 if the file is whole and on the disk, 2 if it could not be made."
        })
final class BackupCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    @Parameters(paramLabel = "FILE", description = "Where to write; appears when it is whole.")
    private Path file = Path.of("");

    @Option(names = "--force", description = "Replace the file if it exists.")
    private boolean force;

    @Override
    public Integer call() {
        Settings settings = options.settings();
        Optional<SiteRedis> found = SiteRedis.inspect(settings);
        if (found.isEmpty()) {
            Terminal.note(
                    "there is nothing to back up: %s holds no data of an embedded Redis."
                            .formatted(settings.dataDir().toAbsolutePath().normalize()));
            return 2;
        }
        long began = System.nanoTime();
        try (SiteRedis site = found.get()) {
            Terminal.note("backing up " + site);
            Keyspace keyspace = new Keyspace(site.redis(), Rooms.catalogue());
            Optional<String> unfinished = keyspace.restoring();
            if (unfinished.isPresent()) {
                Terminal.note(SettingNames.in(unfinished.get()));
                return 2;
            }
            if (!force && Files.exists(file)) {
                Terminal.note(
                        "%s exists already; choose another name, or replace it with --force."
                                .formatted(file.toAbsolutePath().normalize()));
                return 2;
            }
            BackupReport report =
                    keyspace.backup(file, force, "millrace " + Hub.version(), new BackupNotes());
            System.out.println(BackupText.of(report, System.nanoTime() - began));
            return 0;
        }
    }
}
