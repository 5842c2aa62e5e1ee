package dev.millrace.hub.cli;

import dev.millrace.hub.Settings;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.settings.SettingsText;
import dev.millrace.hub.settings.Values;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.concurrent.Callable;

/** {@code check}: are the settings right, and what are they? */
@Command(
        name = "check",
        description = {
            "Print every setting, its value and where it comes from, without passwords, and all"
                    + " that is wrong with them. Starts nothing.",
            "Ends with 0 if nothing is wrong, else with 2."
        })
final class CheckCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    @Option(
            names = "--example",
            description =
                    "Print a millrace.yaml instead, with every setting, its default and what it is"
                            + " for.")
    private boolean example;

    @Override
    public Integer call() {
        if (example) {
            System.out.print(SettingsText.example(Settings.KEYS));
            return 0;
        }
        Values values = options.values();
        Settings settings = Settings.of(values);
        System.out.print(SettingsText.table(Settings.KEYS, values));
        settings.remarks().forEach(System.out::println);
        System.out.flush();
        values.mustBeRight();
        return 0;
    }
}
