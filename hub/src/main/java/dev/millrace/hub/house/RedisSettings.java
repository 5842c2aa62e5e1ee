package dev.millrace.hub.house;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of Redis.
 *
 * @param server where it is; empty for the embedded one
 * @param durability what an acknowledgement means
 * @param patience how long a request waits for it
 * @param embeddedPort the port of the embedded one, on the loopback address; 0 for a free one
 * @param embeddedBinary the server program to run; empty for the one that is found
 * @param embeddedMemory how much it may use; empty for half of the machine's
 */
public record RedisSettings(
        Optional<RedisOptions> server,
        Durability durability,
        Duration patience,
        int embeddedPort,
        Optional<Path> embeddedBinary,
        Optional<Bytes> embeddedMemory) {

    private static final Key<Optional<RedisOptions>> URL =
            Key.optional(
                            "redis.url",
                            Kind.one(RedisOptions::of),
                            "an embedded Redis",
                            "where Redis is: redis://user:password@host:port/database,"
                                    + " redis-cluster://host:port,... or"
                                    + " redis-sentinel://host:port,.../name; rediss... if it is"
                                    + " encrypted")
                    .address();

    private static final Key<Durability> DURABILITY =
            Key.of(
                    "durability",
                    Kind.one(Durability::of),
                    "memory",
                    "what an acknowledged write survives: memory (a crash of Millrace), fsync (a"
                            + " power cut), replicas:1 (the loss of a server, with Redis of your"
                            + " own)");

    private static final Key<Duration> PATIENCE =
            Key.of(
                    "redis.patience",
                    Kind.time(Duration.ofMillis(1)),
                    "2s",
                    "how long a request waits for a Redis that does not take it, before its caller"
                            + " hears that nothing was done");

    private static final Key<Integer> EMBEDDED_PORT =
            Key.of(
                    "redis.embedded.port",
                    Kind.PORT,
                    "0",
                    "the port of the embedded Redis; 0 takes a free one");

    private static final Key<Optional<Bytes>> EMBEDDED_MEMORY =
            Key.optional(
                    "redis.embedded.memory",
                    Kind.size(Bytes.of("1MiB"), Bytes.of("1048576GiB")),
                    "half of the machine's",
                    "how much the embedded Redis may use, as 512mb or 4gb");

    private static final Key<Optional<Path>> EMBEDDED_BINARY =
            Key.optional(
                    "redis.embedded.binary",
                    Kind.PATH,
                    "the one on the PATH, else the one on board",
                    "the program of the embedded Redis");

    private static final Key<Optional<Path>> TLS_CA =
            Key.optional(
                    "redis.tls.ca",
                    Kind.PATH,
                    "the authorities that Java knows",
                    "a PEM file: who may vouch for a rediss:// server");

    private static final Key<Optional<Path>> TLS_CERT =
            Key.optional(
                    "redis.tls.cert", Kind.PATH, "none", "a PEM file: our certificate for Redis");

    private static final Key<Optional<Path>> TLS_KEY =
            Key.optional(
                    "redis.tls.key",
                    Kind.PATH,
                    "none",
                    "a PEM file: the private key to it, PKCS #8");

    private static final Key<Optional<String>> SENTINEL_PASSWORD =
            Key.optional(
                            "redis.sentinel.password",
                            Kind.TEXT,
                            "none",
                            "the password of sentinels that have one")
                    .secret();

    public static final Keys.Group KEYS =
            new Keys.Group(
                    "Redis: one of your own, or the embedded one",
                    List.of(
                            URL,
                            DURABILITY,
                            PATIENCE,
                            EMBEDDED_PORT,
                            EMBEDDED_MEMORY,
                            EMBEDDED_BINARY,
                            TLS_CA,
                            TLS_CERT,
                            TLS_KEY,
                            SENTINEL_PASSWORD));

    /** Where Redis is, as {@code host:port}; none if it is embedded. */
    public List<String> addresses() {
        return server.map(options -> options.endpoints().stream().map(Endpoint::address).toList())
                .orElse(List.of());
    }

    public static RedisSettings read(Values values) {
        Durability durability = values.get(DURABILITY);
        Duration patience = values.get(PATIENCE);
        Optional<RedisOptions> server =
                values.get(URL)
                        .map(options -> options.withDurability(durability))
                        .map(options -> options.withTimes(patience, options.answerTime()))
                        .map(options -> withSentinelPassword(options, values))
                        .map(options -> withTls(options, values));
        if (values.isRight(URL) && server.isEmpty() && durability.replicas() > 0) {
            values.problem(
                    DURABILITY,
                    "the embedded Redis has no replicas; name one that has in redis.url, or choose"
                            + " fsync.");
        }
        return new RedisSettings(
                server,
                durability,
                patience,
                values.get(EMBEDDED_PORT),
                values.get(EMBEDDED_BINARY),
                values.get(EMBEDDED_MEMORY));
    }

    private static RedisOptions withSentinelPassword(RedisOptions options, Values values) {
        Optional<String> password = values.get(SENTINEL_PASSWORD);
        try {
            return password.map(options::withSentinelPassword).orElse(options);
        } catch (IllegalArgumentException e) {
            values.problem(SENTINEL_PASSWORD, String.valueOf(e.getMessage()));
            return options;
        }
    }

    private static RedisOptions withTls(RedisOptions options, Values values) {
        Optional<Path> ca = values.get(TLS_CA);
        Optional<Path> cert = values.get(TLS_CERT);
        Optional<Path> key = values.get(TLS_KEY);
        if (ca.isEmpty() && cert.isEmpty() && key.isEmpty()) {
            return options;
        }
        Key<?> first = ca.isPresent() ? TLS_CA : cert.isPresent() ? TLS_CERT : TLS_KEY;
        if (options.tls() == null) {
            values.problem(first, "an encrypted connection needs a rediss... URL in redis.url.");
            return options;
        }
        try {
            return options.withTls(Tls.of(ca, cert, key));
        } catch (IllegalArgumentException e) {
            values.problem(first, String.valueOf(e.getMessage()));
            return options;
        }
    }
}
