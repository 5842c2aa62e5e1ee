package dev.millrace.hub;

import dev.millrace.keyspace.redis.RedisOptions;

import org.jspecify.annotations.Nullable;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Makes {@link Settings} from the environment and from {@code --set key=value}, which counts more.
 * Goes on after a mistake, so that a person hears of all of them at once; never repeats a value
 * that may hold a password.
 */
final class SettingsReader {
    /** Of every environment variable that is a setting. */
    static final String PREFIX = "MILLRACE_";

    private final Map<String, String> values = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    private SettingsReader() {}

    /**
     * Reads the settings.
     *
     * @param set the texts given with {@code --set}; of one key the last counts
     * @throws BadSettingsException with a sentence for every mistake
     */
    static Settings read(List<String> set, Map<String, String> environment) {
        SettingsReader reader = new SettingsReader();
        reader.takeEnvironment(environment);
        set.forEach(reader::take);
        Settings settings = reader.settings();
        if (!reader.problems.isEmpty()) {
            throw new BadSettingsException(reader.problems);
        }
        return settings;
    }

    private void takeEnvironment(Map<String, String> environment) {
        Map<String, String> keys = new TreeMap<>();
        Settings.KEYS.forEach(key -> keys.put(key.variable(), key.name()));
        new TreeMap<>(environment)
                .forEach(
                        (variable, value) -> {
                            String key = keys.get(variable);
                            if (key != null) {
                                values.put(key, value);
                            } else if (variable.startsWith(PREFIX)) {
                                problems.add(
                                        "The environment variable %s is no setting%s"
                                                .formatted(
                                                        variable,
                                                        Spelling.meant(variable, keys.keySet())));
                            }
                        });
    }

    private void take(String text) {
        int equals = text.indexOf('=');
        String key = equals < 0 ? text : text.substring(0, equals);
        List<String> known = Settings.KEYS.stream().map(Settings.Key::name).toList();
        if (!known.contains(key)) {
            // What is no word may be a value that lost its key, and with it a password.
            String named = Spelling.isWord(key) ? "'" + key + "'" : "of that name";
            problems.add("There is no setting %s%s".formatted(named, Spelling.meant(key, known)));
        } else if (equals < 0) {
            problems.add("--set takes key=value; %s has no value.".formatted(key));
        } else {
            values.put(key, text.substring(equals + 1));
        }
    }

    private Settings settings() {
        Settings defaults = Settings.DEFAULTS;
        return new Settings(
                value(Settings.REDIS_URL, RedisOptions::of),
                value(Settings.DATA_DIR, SettingsReader::path).orElse(defaults.dataDir()),
                value(Settings.EMBEDDED_PORT, SettingsReader::port).orElse(defaults.embeddedPort()),
                value(Settings.EMBEDDED_BINARY, SettingsReader::path));
    }

    /** What is set and not empty. */
    private <T> Optional<T> value(Settings.Key key, Function<String, T> parse) {
        @Nullable String text = values.get(key.name());
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException e) {
            problems.add(key.name() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'%s' is no path.".formatted(text), e);
        }
    }

    private static int port(String text) {
        if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65535) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException(
                "'%s' is no port; use 1 to 65535, or 0 for a free one.".formatted(text));
    }
}
