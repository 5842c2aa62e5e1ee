package dev.millrace.hub;


import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Audit;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.documents.Documents;
import dev.millrace.hub.edgex.EdgexApi;
import dev.millrace.hub.http.OpenApiApi;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.WebServer;
import dev.millrace.hub.live.Live;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.notifications.Notifications;
import dev.millrace.hub.ops.Logs;
import dev.millrace.hub.ops.Ops;
import dev.millrace.hub.pubsub.AdminToken;
import dev.millrace.hub.pubsub.Pubsub;
import dev.millrace.hub.readings.Readings;
import dev.millrace.hub.settings.Values;
import dev.millrace.hub.ui.UiApi;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.doctor.Doctor;
import dev.millrace.keyspace.feed.Topic;
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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The one class that wires the rooms together. Opened from top to bottom, closed from bottom to
 * top; what one room needs of another is handed over here.
 */
public final class Hub implements AutoCloseable {
    /** Every feed there is; their readers are watched. */
    private static final List<Topic> TOPICS =
            List.of(Audit.TOPIC, Readings.TOPIC, Notifications.TOPIC, Documents.TOPIC);

    /** What live clients may subscribe to. */
    private static final List<LiveFeed> LIVE_FEEDS =
            List.of(
                    LiveFeed.of("audit", Audit.TOPIC, Role.ADMIN, "access").withTime(),
                    Readings.feed(),
                    Notifications.LIVE_FEED,
                    Documents.LIVE_FEED);

    private static final Logger log = LoggerFactory.getLogger(Hub.class);

    /** What was opened, the newest first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final RouteTable table;
    private final WebServer server;

    private Hub(Settings settings, Values values, SiteRedis site, Logs logs) {
        Clock clock = Clock.systemUTC();
        PrometheusMeterRegistry figures = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Keyspace keyspace = new Keyspace(site.redis(), Rooms.CATALOGUE);
        keyspace.restoring()
                .ifPresent(
                        why -> {
                            throw new RedisException(Reason.REFUSED, why);
                        });
        try {
            Access access = opened(Access.open(keyspace, settings.access()));
            Mqtt mqtt =
                    opened(Mqtt.open(settings.mqtt(), settings.dataDir(), access.gate(), figures));
            Live live =
                    opened(
                            Live.open(
                                    keyspace, access.gate(), settings.live(), figures, LIVE_FEEDS));
            Pubsub pubsub =
                    opened(
                            Pubsub.open(
                                    keyspace,
                                    settings.pubsub(),
                                    access.gate(),
                                    figures,
                                    clock,
                                    (logger, level) -> logs.change(logger, level, Optional.empty()),
                                    token -> show(settings.log().format(), token)));
            Notifications notifications =
                    opened(
                            Notifications.open(
                                    keyspace,
                                    settings.notifications(),
                                    mqtt,
                                    pubsub::publish,
                                    figures,
                                    clock));
            Ops ops =
                    opened(
                            Ops.open(
                                    house(
                                            settings,
                                            values,
                                            site,
                                            mqtt::standstills,
                                            () -> warnings(notifications, mqtt)),
                                    keyspace,
                                    access,
                                    logs,
                                    figures,
                                    clock));
            Readings readings =
                    opened(Readings.open(keyspace, settings.readings(), figures, clock));
            Documents documents =
                    opened(
                            Documents.open(
                                    keyspace,
                                    settings.documents(),
                                    version(),
                                    mqtt,
                                    figures,
                                    clock));
            OpenApiApi description = new OpenApiApi(version());
            List<Route> routes = new ArrayList<>();
            routes.addAll(description.routes());
            routes.addAll(live.routes());
            routes.addAll(mqtt.routes());
            routes.addAll(notifications.routes());
            routes.addAll(ops.routes());
            routes.addAll(readings.routes());
            routes.addAll(documents.routes());
            routes.addAll(pubsub.routes());
            routes.addAll(
                    new EdgexApi(
                                    version(),
                                    List.of(
                                            () -> edgexConfig(settings, site),
                                            readings::config,
                                            notifications::config))
                            .routes());
            routes.addAll(
                    new UiApi(settings.access().mode() == AccessSettings.Mode.TOKEN).routes());
            table =
                    new RouteTable(
                            routes,
                            PathOwners.table(
                                    clock, settings.documents().name(), settings.pubsub()));
            description.describe(table);
            readings.join(mqtt);
            for (int port : mqtt.letGuestsIn()) {
                log.info("MQTT is at {}:{}.", settings.mqtt().embedded().host(), port);
            }
            server = opened(WebServer.start(settings.http(), table, access.gate(), figures));
            server.whenStopping(pubsub::stop);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Past the log, which others read; in its form all the same, for whoever reads both. */
    private static void show(LogSettings.Format format, AdminToken token) {
        System.err.println(
                switch (format) {
                    case TEXT -> token.line();
                    case JSON -> token.json();
                });
    }

    private static List<String> warnings(Notifications notifications, Mqtt mqtt) {
        return Stream.concat(notifications.warnings().stream(), mqtt.warnings().stream()).toList();
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
        Thread.ofPlatform()
                .daemon()
                .name("prepare")
                .start(() -> Objects.requireNonNull(Rooms.CATALOGUE));
    }

    /** What clients of EdgeX are told of the whole hub; the rooms add their own. */
    private Map<String, Map<String, Object>> edgexConfig(Settings settings, SiteRedis site) {
        return EdgexConfig.of(settings, site, server.port());
    }

    private static Ops.House house(
            Settings settings,
            Values values,
            SiteRedis site,
            Supplier<List<String>> standstills,
            Supplier<List<String>> warnings) {
        List<Ops.RoomKeys> rooms = new ArrayList<>();
        Set<Declaration> own = new LinkedHashSet<>(Rooms.CATALOGUE.declarations());
        for (Rooms.Room room : Rooms.ALL) {
            rooms.add(new Ops.RoomKeys(room.name(), room.about(), room.declarations()));
            own.removeAll(room.declarations());
        }
        rooms.add(
                new Ops.RoomKeys(
                        "engine",
                        "Keys of Millrace itself, which no room writes.",
                        List.copyOf(own)));
        return new Ops.House(
                version(),
                rooms,
                Settings.KEYS.all().stream()
                        .map(
                                key ->
                                        new Ops.SettingView(
                                                key.name(),
                                                values.shown(key),
                                                values.origin(key).toString(),
                                                key.about()))
                        .toList(),
                TOPICS,
                site::trouble,
                standstills,
                warnings,
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
                log.warn("A part of the hub did not close. reason={}", e.toString());
            }
        }
    }
}
