package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.redis.Endpoint;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.RedisException;
import dev.millrace.keyspace.redis.ServerInfo;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Is this Redis safe and suitable? Looks at every server that holds data and says in sentences what
 * it found and what to type. It changes nothing.
 */
public final class Doctor {
    private static final Duration CLOCK_WARNING = Duration.ofSeconds(2);
    private static final double MEMORY_WARNING = 0.8;

    private final Redis redis;
    private final InstantSource clock;
    private final List<Advice> advice = new ArrayList<>();

    public Doctor(Redis redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** How bad it is. */
    public enum Level {
        GOOD,
        WARNING,
        BAD
    }

    /**
     * One thing that was looked at.
     *
     * @param server which one, as host:port
     * @param sentence what was found
     * @param type what to type to mend it; empty if nothing needs mending or typing does not help
     */
    public record Advice(Level level, String server, String sentence, String type) {}

    /** Everything that was found, server by server. */
    public List<Advice> examine() {
        for (Endpoint server : redis.primaries()) {
            try (OwnConnection connection = redis.own(server)) {
                new Visit(server.address(), connection).look();
            } catch (RedisException e) {
                advice.add(
                        new Advice(
                                Level.BAD,
                                server.address(),
                                "It cannot be examined: " + e.getMessage(),
                                ""));
            }
        }
        return List.copyOf(advice);
    }

    /** One server. */
    private final class Visit {
        private final String server;
        private final OwnConnection connection;
        private final ServerInfo info;
        private final Map<String, String> config;

        Visit(String server, OwnConnection connection) {
            this.server = server;
            this.connection = connection;
            this.info = ServerInfo.parse(Replies.textOrEmpty(connection.call(text("INFO"))));
            this.config = config();
        }

        private Map<String, String> config() {
            Map<String, String> found = new HashMap<>();
            try {
                List<?> reply =
                        Replies.list(connection.call(text("CONFIG"), text("GET"), text("*")));
                for (int i = 0; i + 1 < reply.size(); i += 2) {
                    found.put(
                            Replies.textOrEmpty(reply.get(i)),
                            Replies.textOrEmpty(reply.get(i + 1)));
                }
            } catch (RedisException e) {
                warn(
                        "Its configuration may not be read, so some of it could not be looked at.",
                        "");
            }
            return found;
        }

        void look() {
            version();
            eviction();
            persistence();
            memory();
            time();
            replication();
            cluster();
            notifications();
            access();
        }

        private void version() {
            good("It is %s %s.".formatted(info.product(), info.version()));
        }

        private void eviction() {
            if (info.evictionPolicy().equals("noeviction")) {
                good("It never evicts keys.");
            } else {
                bad(
                        "It evicts keys when memory is full (%s): values would vanish and their index entries stay."
                                .formatted(info.evictionPolicy()),
                        "CONFIG SET maxmemory-policy noeviction");
            }
        }

        private void persistence() {
            String append = config.get("appendonly");
            if ("no".equals(append)) {
                bad(
                        "It keeps no append-only file: a restart loses what was written since the"
                                + " last snapshot.",
                        "CONFIG SET appendonly yes");
            } else if ("yes".equals(append)) {
                switch (config.getOrDefault("appendfsync", "")) {
                    case "always" -> good("Every acknowledged write is on the disk.");
                    case "everysec" ->
                            warn(
                                    "It writes to the disk once a second: a power cut may lose the"
                                            + " last second.",
                                    "CONFIG SET appendfsync always");
                    default ->
                            bad(
                                    "The operating system decides when writes reach the disk: a"
                                            + " power cut may lose half a minute.",
                                    "CONFIG SET appendfsync everysec");
                }
            }
            if (info.fields().getOrDefault("aof_last_write_status", "ok").equals("err")) {
                bad("The last write to the append-only file failed: look at its disk.", "");
            }
            if (info.fields().getOrDefault("rdb_last_bgsave_status", "ok").equals("err")) {
                warn("The last snapshot failed: look at its disk and its log.", "");
            }
        }

        private void memory() {
            long used = number("used_memory");
            long most = number("maxmemory");
            long machine = number("total_system_memory");
            if (most == 0) {
                warn(
                        "It has no limit of memory: a full machine may end it instead of refusing"
                                + " writes.",
                        "CONFIG SET maxmemory " + machine * 6 / 10);
            } else if (used > most * MEMORY_WARNING) {
                warn(
                        "It uses %d%% of its memory.".formatted(used * 100 / most),
                        "CONFIG SET maxmemory " + most * 2);
            } else {
                good("It uses %d%% of its memory.".formatted(used * 100 / most));
            }
            if (number("mem_fragmentation_bytes") > Math.max(used, 100L << 20)) {
                warn("Half of its memory is fragmentation.", "CONFIG SET activedefrag yes");
            }
        }

        private void time() {
            List<?> reply = Replies.list(connection.call(text("TIME")));
            long seconds = Long.parseLong(Replies.textOrEmpty(reply.get(0)));
            long apart = Math.abs(clock.instant().getEpochSecond() - seconds);
            if (apart > CLOCK_WARNING.toSeconds()) {
                warn(
                        "Its clock and ours are %d seconds apart; leases and due times follow its clock."
                                .formatted(apart),
                        "timedatectl set-ntp true");
            } else {
                good("Its clock and ours agree.");
            }
        }

        private void replication() {
            if (info.fields().getOrDefault("role", "master").equals("slave")) {
                bad("It is a read-only replica; connect to its primary.", "");
            }
            long replicas = number("connected_slaves");
            if (replicas > 0) {
                good("%d replica(s) follow it.".formatted(replicas));
            }
        }

        private void cluster() {
            if (!info.cluster()) {
                return;
            }
            String state = Replies.textOrEmpty(connection.call(text("CLUSTER"), text("INFO")));
            if (state.contains("cluster_state:ok")) {
                good("The cluster is whole.");
            } else {
                bad("The cluster is not whole: some slots have no server.", "CLUSTER NODES");
            }
            if (number("connected_slaves") == 0) {
                warn("It has no replica: when it is lost, its shards stand still.", "");
            }
        }

        private void notifications() {
            String flags = config.getOrDefault("notify-keyspace-events", "");
            if (config.isEmpty() || flags.contains("K")) {
                return;
            }
            warn(
                    "It announces no changes of keys, so what others write to it is noticed late.",
                    "CONFIG SET notify-keyspace-events Kgh$");
        }

        private void access() {
            String bind = config.getOrDefault("bind", "127.0.0.1");
            boolean local =
                    bind.isEmpty() || (bind.contains("127.0.0.1") && !bind.contains("0.0.0.0"));
            boolean secret = !config.getOrDefault("requirepass", "x").isEmpty();
            if (!secret && !local) {
                bad(
                        "Everybody in the network may read and change it: it has no password.",
                        "CONFIG SET requirepass …");
            }
        }

        private long number(String field) {
            try {
                return Long.parseLong(info.fields().getOrDefault(field, "0"));
            } catch (NumberFormatException e) {
                return 0;
            }
        }

        private void good(String sentence) {
            advice.add(new Advice(Level.GOOD, server, sentence, ""));
        }

        private void warn(String sentence, String type) {
            advice.add(new Advice(Level.WARNING, server, sentence, type));
        }

        private void bad(String sentence, String type) {
            advice.add(new Advice(Level.BAD, server, sentence, type));
        }
    }
}
