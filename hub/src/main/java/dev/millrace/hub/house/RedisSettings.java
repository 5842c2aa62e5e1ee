package dev.millrace.hub.house;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Checked;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Setting;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Where Redis is, and what an acknowledgement means. */
public record RedisSettings(
        Server redis,
        @Setting(
                        about =
                                "what an acknowledged write survives: memory (a crash of Millrace),"
                                        + " fsync (a power cut), replicas:1 (the loss of a server,"
                                        + " with Redis of your own)",
                        standard = "memory")
                Durability durability)
        implements Checked {

    public static final Block<RedisSettings> BLOCK =
            Block.of("", "Redis: one of your own, or the embedded one", RedisSettings.class);

    /** The settings that begin with {@code redis}. */
    public record Server(
            @Setting(
                            about =
                                    "where Redis is: redis://user:password@host:port/database,"
                                            + " redis-cluster://host:port,... or"
                                            + " redis-sentinel://host:port,.../name; rediss... if"
                                            + " it is encrypted",
                            empty = "an embedded Redis",
                            secrecy = Key.Secrecy.ADDRESS)
                    Optional<RedisOptions> url,
            @Setting(
                            about =
                                    "how long a request waits for a Redis that does not take it,"
                                            + " before its caller hears that nothing was done",
                            standard = "2s")
                    Duration patience,
            Embedded embedded,
            Encryption tls,
            Sentinel sentinel) {}

    /** The server that the hub starts itself. */
    public record Embedded(
            @Setting(
                            about = "the port of the embedded Redis; 0 takes a free one",
                            standard = "0",
                            meaning = Setting.Meaning.PORT)
                    int port,
            @Setting(
                            about = "how much the embedded Redis may use, as 512mb or 4gb",
                            empty = "half of the machine's",
                            least = "1MiB",
                            most = "1048576GiB")
                    Optional<Bytes> memory,
            @Setting(
                            about = "the program of the embedded Redis",
                            empty = "the one on the PATH, else the one on board")
                    Optional<Path> binary) {}

    /** PEM files for an encrypted connection. */
    public record Encryption(
            @Setting(
                            about = "a PEM file: who may vouch for a rediss:// server",
                            empty = "the authorities that Java knows")
                    Optional<Path> ca,
            @Setting(about = "a PEM file: our certificate for Redis", empty = "none")
                    Optional<Path> cert,
            @Setting(about = "a PEM file: the private key to it, PKCS #8", empty = "none")
                    Optional<Path> key) {

        /** The setting to name where something is wrong with them; none if none is given. */
        private Optional<String> first() {
            return ca.map(file -> "redis.tls.ca")
                    .or(() -> cert.map(file -> "redis.tls.cert"))
                    .or(() -> key.map(file -> "redis.tls.key"));
        }
    }

    /** Those who know which server is the primary. */
    public record Sentinel(
            @Setting(
                            about = "the password of sentinels that have one",
                            empty = "none",
                            secrecy = Key.Secrecy.SECRET)
                    Optional<String> password) {}

    @Override
    public void check(Problems problems) {
        if (problems.isRight("redis.url") && redis.url.isEmpty() && durability.replicas() > 0) {
            problems.note(
                    "durability",
                    "the embedded Redis has no replicas; name one that has in redis.url, or choose"
                            + " fsync.");
        }
        redis.url.ifPresent(
                options -> {
                    noting(problems, "redis.sentinel.password", () -> asked(options));
                    redis.tls
                            .first()
                            .ifPresent(file -> noting(problems, file, () -> encrypted(options)));
                });
    }

    private static void noting(Problems problems, String setting, Runnable step) {
        try {
            step.run();
        } catch (IllegalArgumentException e) {
            problems.note(setting, String.valueOf(e.getMessage()));
        }
    }

    /** The server with all that is said about it; none if it is embedded. */
    public Optional<RedisOptions> server() {
        return redis.url
                .map(options -> options.withDurability(durability))
                .map(options -> options.withTimes(redis.patience, options.answerTime()))
                .map(this::asked)
                .map(this::encrypted);
    }

    private RedisOptions asked(RedisOptions options) {
        return redis.sentinel.password.map(options::withSentinelPassword).orElse(options);
    }

    private RedisOptions encrypted(RedisOptions options) {
        if (redis.tls.first().isEmpty()) {
            return options;
        }
        if (options.tls() == null) {
            throw new IllegalArgumentException(
                    "an encrypted connection needs a rediss... URL in redis.url.");
        }
        return options.withTls(Tls.of(redis.tls.ca, redis.tls.cert, redis.tls.key));
    }

    /** Where Redis is, as {@code host:port}; none if it is embedded. */
    public List<String> addresses() {
        return redis.url
                .map(options -> options.endpoints().stream().map(Endpoint::address).toList())
                .orElse(List.of());
    }
}
