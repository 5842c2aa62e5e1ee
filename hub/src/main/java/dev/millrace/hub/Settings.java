package dev.millrace.hub;

import dev.millrace.keyspace.redis.RedisOptions;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The settings of the hub. {@link SettingsReader} makes them; {@link #DEFAULTS} is what they are
 * when nobody says anything.
 *
 * @param redis where Redis is; empty for the embedded one
 * @param dataDir where the embedded one keeps its data
 * @param embeddedPort its port on the loopback address; 0 for a free one
 * @param embeddedBinary the server program to run; empty for the one that is found
 */
record Settings(
        Optional<RedisOptions> redis,
        Path dataDir,
        int embeddedPort,
        Optional<Path> embeddedBinary) {

    static final Settings DEFAULTS =
            new Settings(Optional.empty(), Path.of("data"), 0, Optional.empty());

    /**
     * A setting as a person sees it.
     *
     * @param standard what it is by default, in words
     */
    record Key(String name, String standard, String about) {

        /** The environment variable that sets it. */
        String variable() {
            return SettingsReader.PREFIX + name.toUpperCase(Locale.ROOT).replace('.', '_');
        }
    }

    static final Key REDIS_URL =
            new Key(
                    "redis.url",
                    "empty: an embedded Redis",
                    "redis://user:password@host:port/database or redis-cluster://host:port,...");

    static final Key DATA_DIR =
            new Key("data.dir", "data", "where the embedded Redis keeps its data");

    static final Key EMBEDDED_PORT =
            new Key("redis.embedded.port", "0: a free one", "the port of the embedded Redis");

    static final Key EMBEDDED_BINARY =
            new Key(
                    "redis.embedded.binary",
                    "empty: the one on the PATH, else the one on board",
                    "the program of the embedded Redis");

    static final List<Key> KEYS = List.of(REDIS_URL, DATA_DIR, EMBEDDED_PORT, EMBEDDED_BINARY);
}
