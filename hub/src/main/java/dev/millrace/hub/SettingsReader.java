package dev.millrace.hub;

import dev.millrace.keyspace.redis.Durability;
import dev.millrace.keyspace.redis.RedisOptions;
import dev.millrace.keyspace.redis.Tls;

import org.jspecify.annotations.Nullable;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes {@link Settings} from the environment and from {@code --set key=value}, which counts more.
 * Goes on after a mistake, so that a person hears of all of them at once; never repeats a value
 * that may hold a password.
 */
final class SettingsReader {
    /** Of every environment variable that is a setting. */
    static final String PREFIX = "MILLRACE_";

    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,9})(|kb|mb|gb)");

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
        Durability durability =
                value(Settings.DURABILITY, Durability::of).orElse(defaults.durability());
        Optional<RedisOptions> redis =
                value(Settings.REDIS_URL, RedisOptions::of)
                        .map(options -> options.withDurability(durability))
                        .map(this::withSentinelPassword)
                        .map(this::withTls);
        if (redis.isEmpty() && durability.replicas() > 0) {
            problems.add(
                    "durability: the embedded Redis has no replicas; name one that has in"
                            + " redis.url, or choose fsync.");
        }
        return new Settings(
                redis,
                value(Settings.DATA_DIR, SettingsReader::path).orElse(defaults.dataDir()),
                value(Settings.EMBEDDED_PORT, SettingsReader::port).orElse(defaults.embeddedPort()),
                value(Settings.EMBEDDED_BINARY, SettingsReader::path),
                value(Settings.EMBEDDED_MEMORY, SettingsReader::bytes),
                durability);
    }

    private RedisOptions withSentinelPassword(RedisOptions options) {
        return value(Settings.SENTINEL_PASSWORD, options::withSentinelPassword).orElse(options);
    }

    private RedisOptions withTls(RedisOptions options) {
        Optional<Path> ca = value(Settings.TLS_CA, SettingsReader::path);
        Optional<Path> cert = value(Settings.TLS_CERT, SettingsReader::path);
        Optional<Path> key = value(Settings.TLS_KEY, SettingsReader::path);
        if (ca.isEmpty() && cert.isEmpty() && key.isEmpty()) {
            return options;
        }
        if (options.tls() == null) {
            problems.add("redis.tls: an encrypted connection needs a rediss... URL in redis.url.");
            return options;
        }
        try {
            return options.withTls(Tls.of(ca, cert, key));
        } catch (IllegalArgumentException e) {
            problems.add("redis.tls: " + e.getMessage());
            return options;
        }
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

    /** As Redis writes sizes: 512mb, 4gb, or plain bytes. */
    private static long bytes(String text) {
        Matcher size = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        if (!size.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no size; write 512mb or 4gb.".formatted(text));
        }
        long unit =
                switch (size.group(2)) {
                    case "kb" -> 1L << 10;
                    case "mb" -> 1L << 20;
                    case "gb" -> 1L << 30;
                    default -> 1;
                };
        return Long.parseLong(size.group(1)) * unit;
    }

    private static int port(String text) {
        if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65535) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException(
                "'%s' is no port; use 1 to 65535, or 0 for a free one.".formatted(text));
    }
}
