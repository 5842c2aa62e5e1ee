package dev.millrace.hub.ops;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.doctor.Doctor;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Declaration;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Everything about running a hub, made once for it. */
public final class Ops implements AutoCloseable {
    private final Meters meters;
    private final FsckApi fsck;
    private final MemoryApi memory;
    private final List<Route> routes = new ArrayList<>();

    /** The keys of one room, for the catalogue. */
    public record RoomKeys(String name, String about, List<Declaration> declarations) {
        public RoomKeys {
            declarations = List.copyOf(declarations);
        }
    }

    /** A setting as it may be shown, and where its value came from. */
    public record SettingView(String name, String value, String from, String about) {}

    /**
     * What this hallway is told about the hub.
     *
     * @param rooms in the order of the key reference
     * @param scopes what a token may be limited to
     * @param topics of all feeds, whose readers are watched
     * @param trouble what whoever runs the Redis server knows about it
     * @param standstills of the rooms: why one cannot do its work, which makes the hub not ready
     * @param warnings of the rooms: what an operator should look at, and the hub can live with
     */
    public record View(
            String version,
            List<RoomKeys> rooms,
            Set<String> scopes,
            List<SettingView> settings,
            List<Topic> topics,
            Supplier<Optional<String>> trouble,
            Supplier<List<String>> standstills,
            Supplier<List<String>> warnings,
            Supplier<List<Doctor.Advice>> doctor) {}

    private Ops(
            View view,
            Keyspace keyspace,
            Access access,
            Logs logs,
            PrometheusMeterRegistry registry,
            Clock clock) {
        Audited audited = new Audited(access.audit());
        Pulse pulse = new Pulse(keyspace, view.topics, view.trouble, view.standstills, clock);
        MetricsApi metrics = new MetricsApi(registry, keyspace.redis(), pulse, clock, view.version);
        meters = new Meters(registry, keyspace.redis(), view.version);
        pulse.listener(
                look -> {
                    meters.seen(look);
                    metrics.seen(look);
                });
        fsck = new FsckApi(keyspace, audited, clock);
        memory = new MemoryApi(keyspace, audited, clock);
        routes.addAll(new HealthApi(pulse, view.warnings, view.version).routes());
        routes.addAll(metrics.routes());
        routes.addAll(new LogApi(logs, audited).routes());
        routes.addAll(new OpsApi(view.rooms, view.settings, view.doctor, memory::last).routes());
        routes.addAll(fsck.routes());
        routes.addAll(memory.routes());
        routes.addAll(new BackupApi(keyspace, audited, view.version).routes());
        routes.addAll(new TokensApi(access.tokens(), access.audit(), view.scopes).routes());
    }

    public static Ops open(
            View view,
            Keyspace keyspace,
            Access access,
            Logs logs,
            PrometheusMeterRegistry registry,
            Clock clock) {
        return new Ops(view, keyspace, access, logs, registry, clock);
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /** Stops what runs in the background. */
    @Override
    public void close() {
        fsck.close();
        memory.close();
        meters.close();
    }
}
