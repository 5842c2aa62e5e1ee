package dev.millrace.hub.cli;

import dev.millrace.hub.Settings;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;

import picocli.CommandLine.Command;

import java.util.concurrent.Callable;

/** {@code help settings}: every setting, its default and what it is for. */
@Command(name = "settings", description = "Print every setting, its default and what it is for.")
final class SettingsCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        System.out.println(
                "Settings come from --set KEY=VALUE, from the environment and from millrace.yaml in"
                        + " the working directory,");
        System.out.println(
                "in this order. In the environment redis.url is MILLRACE_REDIS_URL."
                        + " ./millrace check prints what they are now.");
        for (Keys.Group group : Settings.KEYS.groups()) {
            System.out.printf("%n%s%n", group.about());
            for (Key<?> key : group.keys()) {
                System.out.printf(
                        "  %s%n      %s%n      [%s]%n",
                        key.name(), key.about(), key.standardInWords());
            }
        }
        return 0;
    }
}
