package dev.millrace.hub;

import dev.millrace.keyspace.redis.Durability;
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
 * @param embeddedMemory how many bytes it may use; empty for half of the machine's
 * @param durability what an acknowledgement means
 */
record Settings(
        Optional<RedisOptions> redis,
        Path dataDir,
        int embeddedPort,
        Optional<Path> embeddedBinary,
        Optional<Long> embeddedMemory,
        Durability durability) {

    static final Settings DEFAULTS =
            new Settings(
                    Optional.empty(),
                    Path.of("data"),
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    new Durability.Memory());

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
                    "redis://user:password@host:port/database, redis-cluster://host:port,... or"
                            + " redis-sentinel://host:port,.../name; rediss... if it is encrypted");

    static final Key DURABILITY =
            new Key(
                    "durability",
                    "memory",
                    "what an acknowledged write survives: memory (a crash of Millrace), fsync (a"
                            + " power cut), replicas:1 (the loss of a server, with Redis of your"
                            + " own)");

    static final Key TLS_CA =
            new Key(
                    "redis.tls.ca",
                    "empty: the authorities that Java knows",
                    "a PEM file: who may vouch for a rediss:// server");

    static final Key TLS_CERT =
            new Key("redis.tls.cert", "empty: none", "a PEM file: our certificate for Redis");

    static final Key TLS_KEY =
            new Key("redis.tls.key", "empty: none", "a PEM file: the private key to it, PKCS #8");

    static final Key SENTINEL_PASSWORD =
            new Key(
                    "redis.sentinel.password",
                    "empty: none",
                    "the password of sentinels that have one");

    static final Key DATA_DIR =
            new Key("data.dir", "data", "where the embedded Redis keeps its data");

    static final Key EMBEDDED_PORT =
            new Key("redis.embedded.port", "0: a free one", "the port of the embedded Redis");

    static final Key EMBEDDED_BINARY =
            new Key(
                    "redis.embedded.binary",
                    "empty: the one on the PATH, else the one on board",
                    "the program of the embedded Redis");

    static final Key EMBEDDED_MEMORY =
            new Key(
                    "redis.embedded.memory",
                    "empty: half of the machine's",
                    "how much the embedded Redis may use, as 512mb or 4gb");

    static final List<Key> KEYS =
            List.of(
                    REDIS_URL,
                    DURABILITY,
                    DATA_DIR,
                    EMBEDDED_PORT,
                    EMBEDDED_MEMORY,
                    EMBEDDED_BINARY,
                    TLS_CA,
                    TLS_CERT,
                    TLS_KEY,
                    SENTINEL_PASSWORD);
}
