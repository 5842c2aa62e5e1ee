package dev.millrace.hub.cli;

import dev.millrace.hub.Rooms;
import dev.millrace.hub.Settings;
import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.memory.Census;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code catalogue}: every key, and how many there are of each. */
@Command(
        name = "catalogue",
        description = {
            "Print every key layout, as Markdown.",
            "Where redis.url is set or the embedded Redis has data, the keys in it are counted, in"
                    + " small steps, and the numbers follow."
        })
final class CatalogueCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    @Option(names = "--no-count", description = "Only the layouts; Redis is not asked.")
    private boolean noCount;

    @Mixin private PaceOption pace = new PaceOption();

    @Override
    public Integer call() {
        Settings settings = options.settings();
        System.out.print(KeyReference.markdown());
        if (!noCount) {
            Optional<SiteRedis> found = SiteRedis.inspect(settings);
            if (found.isPresent()) {
                try (SiteRedis site = found.get()) {
                    count(site);
                }
            }
        }
        return 0;
    }

    private void count(SiteRedis site) {
        System.out.flush();
        Census census =
                new Keyspace(site.redis(), Rooms.catalogue()).census(pace.pace(), new CountNotes());
        System.out.printf("%n## Keys found%n%nIn %s: %d keys.%n", site, census.total());
        if (!census.keys().isEmpty()) {
            System.out.printf("%n%s", census.markdown());
        }
        if (census.unknown() > 0) {
            System.out.printf("%n%s%n", Terminal.strangers(census.unknown(), census.examples()));
        }
    }
}
