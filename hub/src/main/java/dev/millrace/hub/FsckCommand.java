package dev.millrace.hub;

import dev.millrace.keyspace.Check;
import dev.millrace.keyspace.CheckReport;
import dev.millrace.keyspace.Keyspace;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code fsck}: are values and indexes as the layouts say? */
@Command(
        name = "fsck",
        description = {
            "Compare values and indexes both ways, in small steps, while others go on writing.",
            "Ends with 0 if nothing is wrong or all was repaired, 1 if something is left, 2 if it"
                    + " could not run."
        })
final class FsckCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    @Option(
            names = "--repair",
            description =
                    "Mend what can be mended. A value is never removed; what cannot be read is"
                            + " reported.")
    private boolean repair;

    @Override
    public Integer call() {
        Settings settings = options.settings();
        Optional<SiteRedis> found = SiteRedis.inspect(settings);
        if (found.isEmpty()) {
            System.out.printf(
                    "There is nothing to check: %s holds no data of an embedded Redis.%n",
                    settings.dataDir().toAbsolutePath().normalize());
            return 0;
        }
        try (SiteRedis site = found.get()) {
            Terminal.note("checking " + site);
            site.evictionPolicy()
                    .ifPresent(
                            policy ->
                                    Terminal.note(
                                            "warning: this Redis throws keys away when its memory"
                                                    + " is full (maxmemory-policy is %s); drift"
                                                            .formatted(policy)
                                                    + " will come back until it is noeviction."));
            Check check = new Keyspace(site.redis(), Rooms.CATALOGUE).check();
            CheckReport report =
                    (repair ? check.repairing() : check).progress(Terminal::note).run();
            System.out.print(FsckText.of(report, repair));
            return report.left() == 0 ? 0 : 1;
        }
    }
}
