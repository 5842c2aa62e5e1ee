package dev.millrace.hub.cli;

import dev.millrace.hub.Rooms;
import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.check.Check;
import dev.millrace.keyspace.check.CheckReport;

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

    @Mixin private PaceOption pace = new PaceOption();

    @Override
    public Integer call() {
        Optional<SiteRedis> found =
                SiteRedis.inspect(options.settings(), "There is nothing to check");
        if (found.isEmpty()) {
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
            return check(site);
        }
    }

    private int check(SiteRedis site) {
        try (Interruption interruption = Interruption.listen()) {
            Check check =
                    new Keyspace(site.redis(), Rooms.catalogue())
                            .check()
                            .pace(pace.pace())
                            .listener(progress -> Terminal.note(FsckText.progress(progress)))
                            .stoppedBy(interruption::came);
            CheckReport report = (repair ? check.repairing() : check).run();
            return switch (report.end()) {
                case FINISHED -> {
                    System.out.print(FsckText.of(report, repair));
                    yield report.left() == 0 ? 0 : 1;
                }
                case STOPPED -> {
                    Terminal.note(FsckText.stopped());
                    yield 2;
                }
            };
        }
    }
}
