package dev.millrace.hub.settings;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Gathers what the file, the environment and the command line say; the later counts more. */
public final class SettingsSources {
    /** The file that counts where nobody names another, if it exists. */
    private static final Path STANDARD_FILE = Path.of("millrace.yaml");

    private static final String CONFIG = Key.PREFIX + "CONFIG";

    /** Variables that are no settings: where the file is, and what the launcher looks at. */
    private static final Set<String> OTHERS =
            Set.of(CONFIG, Key.PREFIX + "JAVA_HOME", Key.PREFIX + "JAVA_OPTS");

    private final Keys keys;
    private final Map<String, Given> given = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    private SettingsSources(Keys keys) {
        this.keys = keys;
    }

    /**
     * Gathers the values of all settings.
     *
     * @param config the file named on the command line
     * @param set the texts given with {@code --set}; of one key the last counts
     */
    public static Values read(
            Keys keys, Optional<Path> config, List<String> set, Map<String, String> environment) {
        SettingsSources sources = new SettingsSources(keys);
        sources.takeFile(config, environment.getOrDefault(CONFIG, ""));
        sources.takeEnvironment(environment);
        set.forEach(sources::takeFlag);
        return new Values(sources.given, sources.problems);
    }

    private void takeFile(Optional<Path> config, String variable) {
        if (config.isPresent()) {
            take(config.get());
        } else if (!variable.isEmpty()) {
            try {
                take(Path.of(variable));
            } catch (InvalidPathException e) {
                problems.add(CONFIG + ": this is not a valid path.");
            }
        } else if (Files.exists(STANDARD_FILE)) {
            take(STANDARD_FILE);
        }
    }

    private void take(Path file) {
        new SettingsFile(keys, file, given, problems).read();
    }

    private void takeEnvironment(Map<String, String> environment) {
        new TreeMap<>(environment)
                .forEach(
                        (variable, value) -> {
                            Key<?> key = keys.ofVariable(variable);
                            if (key != null) {
                                put(key, key.name(), value, new Origin.Variable(variable));
                            } else if (variable.startsWith(Key.PREFIX)
                                    && !OTHERS.contains(variable)) {
                                problems.add(
                                        "The environment variable %s is not a setting%s"
                                                .formatted(
                                                        variable,
                                                        Spelling.meant(
                                                                variable, keys.variables())));
                            }
                        });
    }

    private void takeFlag(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        Key<?> key = keys.holding(name);
        if (key == null) {
            problems.add("--set: " + Spelling.unknown(name, keys));
        } else if (equals < 0) {
            problems.add("--set takes key=value; %s has no value.".formatted(name));
        } else {
            put(key, name, text.substring(equals + 1), new Origin.Flag());
        }
    }

    /**
     * Notes a value.
     *
     * @param name of the setting, or of a part of it
     */
    private void put(Key<?> key, String name, String text, Origin origin) {
        if (key.kind().form() != Kind.Form.TREE) {
            given.put(key.name(), new Given(key.kind().split(text), origin));
            return;
        }
        Tree value =
                TreeText.read(
                        text,
                        line -> origin,
                        (line, sentence) ->
                                problems.add("%s: %s".formatted(origin.head(key), sentence)));
        given.merge(
                key.name(),
                Given.of(key, name, value, origin),
                (weaker, stronger) -> weaker.under(key, stronger));
    }
}
