package dev.millrace.bench.race;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer;
import dev.millrace.keyspace.redis.options.RedisOptions;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Redis on which a race takes place: one of our own, as the hub would start it, or a given one
 * whose database is empty. By TCP for races between clients, since not every client has unix
 * sockets; a hub of ours may use the socket of our own server, as it does everywhere.
 */
public final class RaceServer implements AutoCloseable {
    private static final long POLL_MILLIS = 20;
    private static final String OF_THE_HUB = "millrace:*";

    /** In one step: a hub that looks in between would find itself forgotten. */
    private static final String KEEP_SCRIPT =
            """
            local kept = {}
            for _, key in ipairs(ARGV) do
              local value, ttl = redis.call('DUMP', key), redis.call('PTTL', key)
              if value then kept[#kept + 1] = {key, math.max(ttl, 0), value} end
            end
            redis.call('FLUSHDB', 'ASYNC')
            for _, each in ipairs(kept) do redis.call('RESTORE', each[1], each[2], each[3]) end
            """;

    private final @Nullable EmbeddedServer embedded;
    private final @Nullable Scratch directory;
    private final String url;
    private final RedisOptions options;
    private final Redis redis;
    private final OwnConnection control;

    private RaceServer(@Nullable EmbeddedServer embedded, @Nullable Scratch directory, String url) {
        this.embedded = embedded;
        this.directory = directory;
        this.url = url;
        this.options = RedisOptions.of(url);
        this.redis = Redis.open(options);
        this.control = redis.own(0);
    }

    /**
     * Starts a server, or connects to the one that is given.
     *
     * @throws IllegalArgumentException with a sentence, if the given one cannot be used
     */
    public static RaceServer open(Optional<String> url) {
        return url.map(RaceServer::given).orElseGet(RaceServer::start);
    }

    private static RaceServer given(String url) {
        RedisOptions options = RedisOptions.of(url);
        if (options.cluster()) {
            throw new IllegalArgumentException(
                    "A benchmark compares clients on a single server: give a redis:// URL.");
        }
        RaceServer server = new RaceServer(null, null, url);
        if (!Long.valueOf(0).equals(server.call("DBSIZE"))) {
            server.close();
            throw new IllegalArgumentException(
                    "The database at %s is not empty, and a benchmark empties it again and again; give another."
                            .formatted(options));
        }
        return server;
    }

    private static RaceServer start() {
        try {
            Scratch directory = Scratch.create();
            EmbeddedServer embedded =
                    EmbeddedServer.start(directory.path(), EmbeddedServer.Options.defaults());
            EmbeddedServer.Address address = embedded.address();
            String url =
                    "redis://%s:%s@%s:%d"
                            .formatted(
                                    address.user(),
                                    address.password(),
                                    address.host(),
                                    address.port());
            RaceServer server = new RaceServer(embedded, directory, url);
            // When it grows, the file would be rewritten in the middle of somebody's turn; instead
            // it is done before each turn.
            server.call("CONFIG", "SET", "auto-aof-rewrite-percentage", "0");
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How to reach it, for another process: the password is in it. */
    public String url() {
        return url;
    }

    /** Whether we have started it. */
    public boolean isOurs() {
        return embedded != null;
    }

    /** The unix socket of our own server, where there is one. */
    public Optional<Path> socket() {
        return embedded == null ? Optional.empty() : embedded.address().socket();
    }

    /** How to reach it. */
    public RedisOptions options() {
        return options;
    }

    /** One command, beside the race. */
    public @Nullable Object call(String... command) {
        byte[][] words = new byte[command.length][];
        for (int i = 0; i < words.length; i++) {
            words[i] = command[i].getBytes(UTF_8);
        }
        return control.call(words);
    }

    /** Takes everything out, and out of the append-only file of our own server too. */
    public void empty() throws InterruptedException {
        // To free millions of keys takes seconds, in which the server would answer nobody else; in
        // the background it would take part in the next turn, so that is waited for.
        call("FLUSHDB", "ASYNC");
        clean();
    }

    /**
     * Takes what is no longer needed out of the append-only file of our own server, so that this
     * does not happen in the middle of somebody's turn.
     */
    public void rewriteFiles() throws InterruptedException {
        clean();
    }

    /**
     * The same beside a hub that goes on: it keeps what it needs to know of itself, such as how far
     * it has told others of what it stored.
     */
    public void emptyButForTheHub() throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("EVAL", KEEP_SCRIPT, "0"));
        String cursor = "0";
        do {
            if (call("SCAN", cursor, "MATCH", OF_THE_HUB, "COUNT", "10000") instanceof List<?> page
                    && page.get(0) instanceof byte[] next
                    && page.get(1) instanceof List<?> keys) {
                cursor = new String(next, UTF_8);
                keys.forEach(key -> command.add(new String((byte[]) key, UTF_8)));
            }
        } while (!cursor.equals("0"));
        call(command.toArray(String[]::new));
        clean();
    }

    private void clean() throws InterruptedException {
        while (!"0".equals(info("memory").getOrDefault("lazyfree_pending_objects", "0"))) {
            Thread.sleep(POLL_MILLIS);
        }
        if (embedded != null) {
            call("BGREWRITEAOF");
            Map<String, String> state = info("persistence");
            while (!"0".equals(state.getOrDefault("aof_rewrite_in_progress", "0"))
                    || !"0".equals(state.getOrDefault("aof_rewrite_scheduled", "0"))) {
                Thread.sleep(POLL_MILLIS);
                state = info("persistence");
            }
        }
    }

    /** Processor time of the thread that executes commands. */
    public long cpuNanos() {
        Map<String, String> cpu = info("cpu");
        double seconds = 0;
        for (String mode : List.of("user", "sys")) {
            String whole = cpu.getOrDefault("used_cpu_" + mode, "0");
            seconds +=
                    Double.parseDouble(
                            cpu.getOrDefault("used_cpu_" + mode + "_main_thread", whole));
        }
        return Math.round(seconds * 1e9);
    }

    /** Product, version and persistence, for the report. */
    public String about() {
        return about("by TCP");
    }

    /**
     * The same.
     *
     * @param way how those who race reach our own server
     */
    public String about(String way) {
        Map<String, String> state = info("persistence");
        String persistence =
                "1".equals(state.get("aof_enabled")) ? "append-only file" : "no append-only file";
        return "%s %s, %s, %s"
                .formatted(
                        redis.server().product(),
                        redis.server().version(),
                        persistence,
                        embedded != null ? "embedded, " + way : "at " + options);
    }

    private Map<String, String> info(String section) {
        Map<String, String> fields = new HashMap<>();
        if (call("INFO", section) instanceof byte[] text) {
            for (String line : new String(text, UTF_8).lines().toList()) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    fields.put(line.substring(0, colon), line.substring(colon + 1));
                }
            }
        }
        return fields;
    }

    /** Leaves a given server alone; of our own nothing remains. */
    @Override
    public void close() {
        control.close();
        redis.close();
        if (embedded != null && directory != null) {
            embedded.close();
            directory.close();
        }
    }
}
