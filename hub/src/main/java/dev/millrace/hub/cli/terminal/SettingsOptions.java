package dev.millrace.hub.cli.terminal;

import dev.millrace.hub.Settings;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options that every command has. */
public final class SettingsOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The file with settings (default: millrace.yaml in the working directory, if"
                            + " it exists).")
    private @Nullable Path config;

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

    public Settings settings() {
        return Settings.read(Optional.ofNullable(config), set, System.getenv());
    }

    /** What was given, right or wrong. */
    public Values values() {
        return SettingsSources.read(
                Settings.KEYS, Optional.ofNullable(config), set, System.getenv());
    }
}
