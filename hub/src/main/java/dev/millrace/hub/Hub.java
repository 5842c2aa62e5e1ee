package dev.millrace.hub;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Audit;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.Configured;
import dev.millrace.hub.edgex.EdgexApi;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.openapi.OpenApiApi;
import dev.millrace.hub.http.server.WebServer;
import dev.millrace.hub.live.Live;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.ops.Logs;
import dev.millrace.hub.ops.Ops;
import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.settings.Values;
import dev.millrace.hub.ui.UiApi;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.doctor.Doctor;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The one class that wires the rooms together. Opened from top to bottom, closed from bottom to
 * top; what one room needs of another is handed over here.
 */
public final class Hub implements AutoCloseable {
    private static final LiveFeed AUDIT =
            LiveFeed.of("audit", Audit.TOPIC, Role.ADMIN, "access").withTime();

    private static final Logger log = LoggerFactory.getLogger(Hub.class);

    private final List<Room> rooms = Rooms.all();

    /** What was opened, the newest first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final RouteTable table;
    private final WebServer server;

    private Hub(Settings settings, Values values, SiteRedis site, Logs logs) {
        Clock clock = Clock.systemUTC();
        PrometheusMeterRegistry figures = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Keyspace keyspace = new Keyspace(site.redis(), Rooms.catalogue());
        keyspace.restoring()
                .ifPresent(
                        why -> {
                            throw new RedisException(Reason.REFUSED, why);
                        });
        try {
            Access access = opened(Access.open(keyspace, settings.access()));
            Mqtt mqtt =
                    opened(
                            Mqtt.open(
                                    settings.mqtt(),
                                    settings.http(),
                                    settings.dataDir(),
                                    access.gate(),
                                    figures));
            List<LiveFeed> feeds = new ArrayList<>(List.of(AUDIT));
            rooms.forEach(room -> feeds.addAll(room.feeds()));
            Live live = opened(Live.open(keyspace, access.gate(), settings.live(), figures, feeds));
            House house =
                    new House(
                            version(),
                            settings.dataDir(),
                            keyspace,
                            settings.rooms(),
                            figures,
                            clock,
                            access.gate(),
                            mqtt,
                            opened(new Outside()),
                            (logger, level) -> logs.change(logger, level, Optional.empty()));
            for (Room room : rooms) {
                opened.push(room::stop);
                room.start(house);
            }
            Ops ops =
                    opened(
                            Ops.open(
                                    view(settings, values, site, mqtt, feeds),
                                    keyspace,
                                    access,
                                    logs,
                                    figures,
                                    clock));
            OpenApiApi description = new OpenApiApi(version());
            List<Route> routes = new ArrayList<>();
            routes.addAll(description.routes());
            routes.addAll(live.routes());
            routes.addAll(mqtt.routes());
            routes.addAll(ops.routes());
            rooms.forEach(room -> routes.addAll(room.routes()));
            routes.addAll(new EdgexApi(version(), edgex(settings, site)).routes());
            routes.addAll(
                    new UiApi(settings.access().mode() == AccessSettings.Mode.TOKEN).routes());
            Owners owners = PathOwners.table(clock);
            rooms.forEach(room -> room.claim(owners, settings.rooms()));
            table = new RouteTable(routes, owners);
            description.describe(table);
            for (int port : mqtt.letGuestsIn()) {
                log.info("MQTT is at {}:{}.", settings.doorway().host(), port);
            }
            server = opened(WebServer.start(settings.http(), table, access.gate(), figures));
            server.whenStopping(() -> rooms.forEach(Room::letGo));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static List<String> warnings(List<Room> rooms, Mqtt mqtt) {
        return Stream.concat(
                        rooms.stream().flatMap(room -> room.warnings().stream()),
                        mqtt.warnings().stream())
                .toList();
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.push(part);
        return part;
    }

    public static Hub open(Settings settings, Values values, SiteRedis site, Logs logs) {
        return new Hub(settings, values, site, logs);
    }

    /** Begins what takes a while and needs no Redis: the proofs of the catalogue. */
    public static void prepare() {
        Thread.ofPlatform().daemon().name("prepare").start(Rooms::catalogue);
    }

    /** What clients of EdgeX are told of the whole hub, and what the rooms add. */
    private List<Configured> edgex(Settings settings, SiteRedis site) {
        List<Configured> parts = new ArrayList<>();
        parts.add(() -> EdgexConfig.of(settings, site, server.port()));
        rooms.stream()
                .filter(Configured.class::isInstance)
                .map(Configured.class::cast)
                .forEach(parts::add);
        return parts;
    }

    private Ops.View view(
            Settings settings, Values values, SiteRedis site, Mqtt mqtt, List<LiveFeed> feeds) {
        List<Ops.RoomKeys> keys = new ArrayList<>();
        Set<Declaration> own = new LinkedHashSet<>(Rooms.catalogue().declarations());
        for (Room room : rooms) {
            keys.add(new Ops.RoomKeys(room.name(), room.about(), room.declarations()));
            own.removeAll(room.declarations());
        }
        keys.add(
                new Ops.RoomKeys(
                        "engine",
                        "Keys of Millrace itself, which no room writes.",
                        List.copyOf(own)));
        return new Ops.View(
                version(),
                keys,
                Rooms.scopes(),
                Settings.KEYS.all().stream()
                        .map(
                                key ->
                                        new Ops.SettingView(
                                                key.name(),
                                                values.shown(key),
                                                values.origin(key).toString(),
                                                key.about()))
                        .toList(),
                feeds.stream().map(LiveFeed::topic).toList(),
                site::trouble,
                mqtt::standstills,
                () -> warnings(rooms, mqtt),
                () -> doctor(settings, site));
    }

    private static List<Doctor.Advice> doctor(Settings settings, SiteRedis site) {
        Doctor doctor =
                new Doctor(site.redis(), Clock.systemUTC()).expecting(settings.durability());
        Doctor whole = site.embedded() ? doctor.ofEmbedded(SettingNames.REMEDIES) : doctor;
        return Stream.concat(whole.examine().stream(), ClearText.advice(settings).stream())
                .toList();
    }

    /** All routes, for those who want to look at every one of them. */
    RouteTable table() {
        return table;
    }

    /** As the jar says; classes that do not come from one are somebody's work in progress. */
    public static String version() {
        String version = Hub.class.getPackage().getImplementationVersion();
        return version == null ? "in development" : version;
    }

    /** Where it listens. */
    public String url() {
        return server.url();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                // The others are to be closed all the same.
                log.warn("A part of the hub did not close cleanly. reason={}", e.toString());
            }
        }
    }
}
