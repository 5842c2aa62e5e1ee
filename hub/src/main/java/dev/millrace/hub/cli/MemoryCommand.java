package dev.millrace.hub.cli;

import dev.millrace.hub.Rooms;
import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.memory.MemoryReport;
import dev.millrace.keyspace.redis.outcome.Outcome;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code memory}: what takes the memory, and how long it will last. */
@Command(
        name = "memory",
        description = {
            "Print which layout takes how much memory, by samples, in small steps, while others go"
                    + " on writing.",
            "The figures are kept, so that the next time tells the growth and the days left."
        })
final class MemoryCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    @Mixin private PaceOption pace = new PaceOption();

    @Override
    public Integer call() {
        Optional<SiteRedis> found =
                SiteRedis.inspect(options.settings(), "There is nothing to measure");
        if (found.isEmpty()) {
            return 0;
        }
        try (SiteRedis site = found.get()) {
            Terminal.note("measuring " + site);
            Keyspace keyspace = new Keyspace(site.redis(), Rooms.catalogue());
            MemoryReport report = keyspace.memory(pace.pace(), Instant.now(), new CountNotes());
            System.out.print(MemoryText.of(report));
            Outcome<Long> kept = keyspace.remember(report);
            if (!kept.isDone()) {
                Terminal.note("these figures could not be kept for the next time: " + kept);
            }
            return 0;
        }
    }
}
