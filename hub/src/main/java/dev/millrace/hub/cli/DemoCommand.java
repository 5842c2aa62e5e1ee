package dev.millrace.hub.cli;

import dev.millrace.hub.Settings;
import dev.millrace.hub.cli.demo.Demo;
import dev.millrace.hub.cli.demo.DemoDirectory;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * {@code demo}: a hub with a plant, a brewery and a web shop in it, so that there is something to
 * look at.
 */
@Command(
        name = "demo",
        description =
                "Start a hub with a simulated battery site, a brewery and a web shop, on data of"
                        + " its own: values move, alarms come and go, orders are executed, people"
                        + " look at items. Ctrl-C stops it.")
final class DemoCommand implements Callable<Integer> {
    private static final String DIRECTORY = "data.dir=";

    /** What a demo is to show, unless somebody wants it otherwise. */
    private static final List<String> STANDARD =
            List.of(
                    DIRECTORY + "demo-data",
                    "http.host=127.0.0.1",
                    "access.mode=open",
                    "alarms.message-channel=alarms",
                    "alarms.notifications.minor=normal",
                    "shop.demo=true",
                    "shop.proxy.port=0",
                    "telemetry.offline-after=10s");

    /** It writes, so it never touches a Redis that somebody else might use. */
    private static final String OWN_REDIS = "redis.url=";

    @Option(
            names = "--reset",
            description = "Throw away what earlier demos have stored, and begin anew.")
    private boolean reset;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting, for example http.port=8081. May be repeated.")
    private List<String> set = new ArrayList<>();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("UnusedVariable") // the library looks at it
    private boolean help;

    @Override
    public Integer call() throws InterruptedException {
        List<String> all = new ArrayList<>(STANDARD);
        all.addAll(set);
        all.add(OWN_REDIS);
        Values values = SettingsSources.read(Settings.KEYS, Optional.empty(), all, System.getenv());
        Settings settings = Settings.of(values);
        values.mustBeRight();
        DemoDirectory directory = new DemoDirectory(settings.dataDir());
        Optional<String> trouble = reset ? directory.reset() : directory.take();
        if (trouble.isPresent()) {
            Terminal.note(trouble.get());
            return 2;
        }
        RunCommand.serve(
                values,
                (url, stop) -> {
                    try (Demo _ = Demo.at(url)) {
                        stop.await();
                    }
                });
        return 0;
    }
}
