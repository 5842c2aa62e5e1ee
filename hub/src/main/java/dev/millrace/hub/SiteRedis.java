package dev.millrace.hub;

import dev.millrace.hub.house.RedisSettings;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The Redis that the settings name, opened for one command: one of somebody's own, or the embedded
 * one, which is stopped again if it was started here.
 */
public final class SiteRedis implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SiteRedis.class);

    private final Redis redis;
    private final @Nullable EmbeddedServer server;
    private final boolean embedded;
    private final String words;

    private SiteRedis(
            Redis redis, @Nullable EmbeddedServer server, boolean embedded, String words) {
        this.redis = redis;
        this.server = server;
        this.embedded = embedded;
        this.words = words;
    }

    /** To serve: the embedded server is started, and nobody else may have it. */
    public static SiteRedis serve(Settings settings) {
        return settings.redis()
                .server()
                .map(SiteRedis::connect)
                .orElseGet(() -> start(settings, settings.durability()));
    }

    /**
     * To look at: an embedded server that is running is used, else one is started for the time.
     * Empty if it has no data yet, so that there is nothing to look at.
     */
    public static Optional<SiteRedis> inspect(Settings settings) {
        // Whoever looks at a server wants to see one, too, that does not keep its promises.
        Durability none = new Durability.Memory();
        Optional<RedisOptions> own = settings.redis().server();
        if (own.isPresent()) {
            return own.map(options -> connect(options.withDurability(none)));
        }
        if (!EmbeddedServer.hasData(settings.dataDir())) {
            return Optional.empty();
        }
        return EmbeddedServer.running(settings.dataDir())
                .map(address -> running(address, settings))
                .or(
                        () -> {
                            log.info(
                                    "No hub is running on these data; they are opened for this"
                                            + " command. data.dir={}",
                                    place(settings));
                            return Optional.of(start(settings, none));
                        });
    }

    /**
     * The same, for a command that has nothing to do without one: says so.
     *
     * @param nothing what a person hears then, as {@code There is nothing to check}
     */
    public static Optional<SiteRedis> inspect(Settings settings, String nothing) {
        Optional<SiteRedis> found = inspect(settings);
        if (found.isEmpty()) {
            System.out.printf(
                    "%s: %s holds no data of an embedded Redis.%n", nothing, place(settings));
        }
        return found;
    }

    /** To fill: like {@link #inspect}, and an embedded server is made where there is none yet. */
    public static SiteRedis fill(Settings settings) {
        return inspect(settings)
                .orElseGet(
                        () -> {
                            log.warn(
                                    "There were no data here; a new store begins. A hub that keeps"
                                        + " its data elsewhere does not see it: name that place"
                                        + " with --set data.dir or --set redis.url. data.dir={}",
                                    place(settings));
                            return start(settings, settings.durability());
                        });
    }

    private static Path place(Settings settings) {
        return settings.dataDir().toAbsolutePath().normalize();
    }

    private static SiteRedis connect(RedisOptions options) {
        return new SiteRedis(Redis.open(options), null, false, options.toString());
    }

    private static SiteRedis start(Settings settings, Durability durability) {
        EmbeddedServer server = EmbeddedServer.start(settings.dataDir(), options(settings));
        boolean connected = false;
        try {
            RedisOptions options = server.redisOptions();
            Redis redis =
                    server.connect(
                            options.withDurability(durability)
                                    .withTimes(
                                            settings.redis().redis().patience(),
                                            options.answerTime()));
            redis.explainedBy(() -> server.state().trouble().map(SettingNames::in));
            connected = true;
            return new SiteRedis(redis, server, true, embeddedIn(settings));
        } finally {
            if (!connected) {
                server.close();
            }
        }
    }

    private static EmbeddedServer.Options options(Settings settings) {
        RedisSettings.Embedded embedded = settings.redis().redis().embedded();
        EmbeddedServer.Options options =
                EmbeddedServer.Options.defaults()
                        .withPort(embedded.port())
                        .withFsync(
                                settings.durability() instanceof Durability.Fsync
                                        ? EmbeddedServer.AppendFsync.ALWAYS
                                        : EmbeddedServer.AppendFsync.EVERYSEC);
        options = embedded.memory().map(Bytes::count).map(options::withMemory).orElse(options);
        return embedded.binary().map(options::withBinary).orElse(options);
    }

    private static SiteRedis running(EmbeddedServer.Address address, Settings settings) {
        Endpoint endpoint =
                new Endpoint(address.host(), address.port(), address.socket().orElse(null));
        Redis redis = Redis.open(RedisOptions.of(endpoint, address.password()));
        return new SiteRedis(redis, null, true, embeddedIn(settings));
    }

    private static String embeddedIn(Settings settings) {
        return "the embedded Redis of " + place(settings);
    }

    public Redis redis() {
        return redis;
    }

    public boolean embedded() {
        return embedded;
    }

    /** What the embedded server that was started here suffers from, and what to do. */
    Optional<String> trouble() {
        return server == null
                ? Optional.empty()
                : server.state().trouble().map(SettingNames::in).map(ServerTrouble::sentence);
    }

    /** What a person calls it, without a password. */
    @Override
    public String toString() {
        return words;
    }

    /**
     * Which keys the servers throw away when their memory is full, where that is not none: such a
     * server tears values from their index entries.
     */
    public Optional<String> evictionPolicy() {
        for (Endpoint node : redis.primaries()) {
            try (OwnConnection connection = redis.own(node)) {
                String policy = field(connection, "memory", "maxmemory_policy");
                if (!policy.isEmpty() && !policy.equals("noeviction")) {
                    return Optional.of(policy);
                }
            }
        }
        return Optional.empty();
    }

    /** The servers that keep no append-only file. */
    public List<Endpoint> withoutAppendOnlyFile() {
        List<Endpoint> found = new ArrayList<>();
        for (Endpoint node : redis.primaries()) {
            try (OwnConnection connection = redis.own(node)) {
                if (field(connection, "persistence", "aof_enabled").equals("0")) {
                    found.add(node);
                }
            }
        }
        return found;
    }

    /** A line of INFO; empty where the server does not tell. */
    private static String field(OwnConnection connection, String section, String name) {
        Object info = connection.call(bytes("INFO"), bytes(section));
        String text = info instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
        return text.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        redis.close();
        if (server != null) {
            server.close();
        }
    }
}
