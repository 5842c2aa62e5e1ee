package dev.millrace.keyspace.doctor;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.doctor.Doctor.Advice;
import dev.millrace.keyspace.doctor.Doctor.Level;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.ServerInfo;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the {@link Doctor} looks at on one server. */
final class DoctorVisit {
    private static final Duration CLOCK_WARNING = Duration.ofSeconds(2);
    private static final double MEMORY_WARNING = 0.8;

    private final Endpoint server;
    private final OwnConnection connection;
    private final InstantSource clock;
    private final Durability durability;
    private final Optional<Doctor.Remedies> embedded;
    private final ServerInfo info;
    private final Map<String, String> config = new HashMap<>();
    private final List<Advice> advice = new ArrayList<>();

    DoctorVisit(
            Endpoint server,
            OwnConnection connection,
            InstantSource clock,
            Durability durability,
            Optional<Doctor.Remedies> embedded) {
        this.server = server;
        this.connection = connection;
        this.clock = clock;
        this.durability = durability;
        this.embedded = embedded;
        this.info = ServerInfo.parse(Replies.textOrEmpty(connection.call(text("INFO"))));
    }

    List<Advice> look() {
        good("It is %s %s.".formatted(info.product(), info.version()));
        readConfig();
        role();
        eviction();
        persistence();
        replicas();
        memory();
        disk();
        time();
        cluster();
        notifications();
        access();
        return advice;
    }

    private void readConfig() {
        try {
            List<?> reply = Replies.list(connection.call(text("CONFIG"), text("GET"), text("*")));
            for (int i = 0; i + 1 < reply.size(); i += 2) {
                config.put(
                        Replies.textOrEmpty(reply.get(i)), Replies.textOrEmpty(reply.get(i + 1)));
            }
        } catch (RedisException e) {
            warn(
                    "Its configuration may not be read, so that some of it could not be looked at.",
                    cli("ACL SETUSER " + user() + " +config|get"));
        }
    }

    private String user() {
        return Replies.textOrEmpty(connection.call(text("ACL"), text("WHOAMI")));
    }

    private void role() {
        if (info.fields().getOrDefault("role", "master").equals("slave")) {
            bad("It is a read-only replica; name its primary in the URL.", "");
        }
    }

    private void eviction() {
        if (info.evictionPolicy().equals("noeviction")) {
            good("It never throws keys away.");
        } else {
            bad(
                    "It throws keys away when its memory is full (%s): values would vanish and their index entries stay."
                            .formatted(info.evictionPolicy()),
                    cli("CONFIG SET maxmemory-policy noeviction"));
        }
    }

    private void persistence() {
        boolean file = info.fields().getOrDefault("aof_enabled", "0").equals("1");
        if (!file) {
            bad(
                    "It keeps no append-only file: a restart loses what was written since the last"
                            + " snapshot.",
                    cli("CONFIG SET appendonly yes"));
        } else {
            sync();
            mending();
        }
        if (info.fields().getOrDefault("aof_last_write_status", "ok").equals("err")) {
            bad("The last write to the append-only file failed: look at its disk.", "");
        }
        if (info.fields().getOrDefault("aof_last_bgrewrite_status", "ok").equals("err")) {
            warn("The append-only file could not be rewritten, and grows: look at its disk.", "");
        }
        if (info.fields().getOrDefault("rdb_last_bgsave_status", "ok").equals("err")) {
            warn("The last snapshot failed: look at its disk and its log.", "");
        }
    }

    private void sync() {
        boolean wanted = durability instanceof Durability.Fsync;
        switch (config.getOrDefault("appendfsync", "")) {
            case "always" -> {
                if (config.getOrDefault("no-appendfsync-on-rewrite", "no").equals("yes")) {
                    bad(
                            "It does not sync while it rewrites its file, so that a power cut then"
                                    + " loses acknowledged writes.",
                            cli("CONFIG SET no-appendfsync-on-rewrite no"));
                } else {
                    good("Every acknowledged write is on its disk.");
                }
            }
            case "everysec" -> {
                if (wanted) {
                    bad(
                            "It writes to the disk once a second, which is not what"
                                    + " durability=fsync promises.",
                            embedded.map(Doctor.Remedies::syncAlways)
                                    .orElseGet(() -> cli("CONFIG SET appendfsync always")));
                } else {
                    good(
                            "It writes to the disk once a second: a power cut may lose the last"
                                    + " second, as durability=%s allows.".formatted(durability));
                }
            }
            case "no" ->
                    bad(
                            "The operating system decides when writes reach the disk: a power cut"
                                    + " may lose half a minute.",
                            cli("CONFIG SET appendfsync everysec"));
            default -> {} // may not be seen, which was said
        }
    }

    /** The embedded server has it off, and cuts better ({@code ServerLauncher}). */
    private void mending() {
        if (config.getOrDefault("aof-load-truncated", "no").equals("yes")) {
            warn(
                    "It repairs a file that a power cut has ended early by itself, and leaves the"
                            + " beginning of a half commit in it, which a later start may take for"
                            + " a whole one. Switched off, it says so and redis-check-aof --fix"
                            + " repairs the file.",
                    cli("CONFIG SET aof-load-truncated no"));
        }
    }

    private void replicas() {
        long replicas = number("connected_slaves");
        if (replicas < durability.replicas()) {
            bad(
                    "%d of the %d replicas that durability=%s waits for are connected: nothing can be confirmed."
                            .formatted(replicas, durability.replicas(), durability),
                    "redis-cli -h REPLICA -p PORT REPLICAOF %s %d"
                            .formatted(server.host(), server.port()));
        } else if (replicas > 0) {
            good("%d replica(s) follow it.".formatted(replicas));
        } else if (info.cluster()) {
            warn("It has no replica: when it is lost, its shards stand still.", "");
        }
    }

    private void memory() {
        long used = number("used_memory");
        long most = number("maxmemory");
        if (most == 0) {
            warn(
                    "Its memory has no limit: a full machine may end it instead of refusing"
                            + " writes.",
                    limit(number("total_system_memory") * 6 / 10));
        } else if (used > most * MEMORY_WARNING) {
            warn("It uses %d%% of its memory.".formatted(used * 100 / most), limit(most * 2));
        } else {
            good("It uses %d%% of its memory.".formatted(used * 100 / most));
        }
        if (number("mem_fragmentation_bytes") > Math.max(used, 100L << 20)) {
            warn("Half of its memory is fragmentation.", cli("CONFIG SET activedefrag yes"));
        }
    }

    private String limit(long bytes) {
        return embedded.map(remedies -> remedies.memory(bytes))
                .orElseGet(() -> cli("CONFIG SET maxmemory " + bytes));
    }

    /** A rewrite of the file needs as much again, and some time passes until somebody looks. */
    private void disk() {
        Path directory = Path.of(config.getOrDefault("dir", ""));
        if (config.getOrDefault("dir", "").isEmpty()
                || !isHere()
                || !Files.isDirectory(directory)) {
            return; // not ours to see
        }
        long file = Math.max(number("aof_current_size"), number("used_memory"));
        try {
            FileStore store = Files.getFileStore(directory);
            long free = store.getUsableSpace();
            String words = "Its disk has %d MB left.".formatted(free >> 20);
            if (free < 2 * file || free < store.getTotalSpace() / 20) {
                warn(
                        words + " Its file may need %d MB.".formatted((2 * file) >> 20),
                        "df -h " + directory);
            } else {
                good(words);
            }
        } catch (IOException e) {
            warn("Its disk cannot be looked at: " + e.getMessage(), "");
        }
    }

    private boolean isHere() {
        try {
            return server.socket() != null
                    || InetAddress.getByName(server.host()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
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

    private void cluster() {
        if (!info.cluster()) {
            return;
        }
        String state = Replies.textOrEmpty(connection.call(text("CLUSTER"), text("INFO")));
        if (state.contains("cluster_state:ok")) {
            good("The cluster is whole.");
        } else {
            bad("The cluster is not whole: some slots have no server.", cli("CLUSTER NODES"));
        }
    }

    /** Nobody else writes to an embedded server, whose password is ours alone. */
    private void notifications() {
        String flags = config.getOrDefault("notify-keyspace-events", "");
        if (config.isEmpty() || embedded.isPresent() || flags.contains("K")) {
            return;
        }
        warn(
                "It announces no changes of keys, so what others write to it is noticed late.",
                cli("CONFIG SET notify-keyspace-events Kgh$"));
    }

    private void access() {
        if (config.isEmpty()) {
            return;
        }
        boolean everywhere = !onlyLocal(config.getOrDefault("bind", ""));
        if (everywhere
                && user().equals("default")
                && config.getOrDefault("requirepass", "").isEmpty()) {
            bad(
                    "Everybody in the network may read and change it: it has no password.",
                    cli("CONFIG SET requirepass A-LONG-PASSWORD"));
        }
    }

    private static boolean onlyLocal(String bind) {
        for (String address : bind.split(" ", -1)) {
            String plain = address.startsWith("-") ? address.substring(1) : address;
            if (!plain.startsWith("127.") && !plain.equals("::1") && !plain.equals("localhost")) {
                return false; // nothing at all means everywhere
            }
        }
        return true;
    }

    private String cli(String command) {
        return "redis-cli -h %s -p %d %s".formatted(server.host(), server.port(), command);
    }

    private long number(String field) {
        try {
            return Long.parseLong(info.fields().getOrDefault(field, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private void good(String sentence) {
        advice.add(new Advice(Level.GOOD, server.address(), sentence, ""));
    }

    private void warn(String sentence, String type) {
        advice.add(new Advice(Level.WARNING, server.address(), sentence, type));
    }

    private void bad(String sentence, String type) {
        advice.add(new Advice(Level.BAD, server.address(), sentence, type));
    }
}
