package dev.millrace.hub;

import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.List;

/** The options that every command has. */
final class SettingsOptions {
    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting, for example redis.url=redis://host:6379/2. May be repeated.")
    private List<String> set = new ArrayList<>();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("UnusedVariable") // the library looks at it
    private boolean help;

    Settings settings() {
        return SettingsReader.read(set, System.getenv());
    }
}
