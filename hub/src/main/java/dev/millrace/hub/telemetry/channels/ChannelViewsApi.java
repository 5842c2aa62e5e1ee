package dev.millrace.hub.telemetry.channels;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNEL_STATUS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.ONLINE;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Paging;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.bus.Operations;
import dev.millrace.hub.telemetry.bus.Spoken;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.ChannelStatus;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.telemetry.kept.Texts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.store.Store;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Channels over HTTP, where they are looked at. */
public final class ChannelViewsApi {
    private static final int MOST = 10_000;

    private final String version;
    private final Keyspace keyspace;
    private final Operations operations;
    private final Spoken spoken;
    private final Site site;
    private final ChannelBook book;
    private final Channels channels;
    private final Store<ChannelStatus> statuses;

    public ChannelViewsApi(
            String version,
            Keyspace keyspace,
            Site site,
            ChannelBook book,
            Channels channels,
            Operations operations,
            Spoken spoken) {
        this.keyspace = keyspace;
        this.operations = operations;
        this.spoken = spoken;
        this.version = version;
        this.site = site;
        this.book = book;
        this.channels = channels;
        this.statuses = keyspace.store(CHANNEL_STATUS);
    }

    public void addTo(EmsRoutes routes) {
        routes.get("/api/status", looking("How the collector of values is doing."), this::overview)
                .get(
                        "/api/channels",
                        route ->
                                looking("Channels that are configured or online, by pages.")
                                        .apply(route)
                                        .parameter("protocol", "only those with this protocol")
                                        .parameter("status", "only those: online, offline, error")
                                        .parameter("search", "only those with this in their name"),
                        this::list)
                .get(
                        "/api/channels/{channel_id}",
                        looking("A channel: its configuration and its state."),
                        this::channel)
                .get(
                        "/api/channels/{channel_id}/status",
                        looking("How a channel is doing."),
                        this::status)
                .get(
                        "/api/channels/{channel_id}/points",
                        route ->
                                looking("The definitions of a channel's points.")
                                        .apply(route)
                                        .parameter("type", "only those: T, S, C or A"),
                        this::points);
    }

    private static UnaryOperator<Route.Draft> looking(String about) {
        return route -> route.needs(Role.VIEWER, TelemetryLayouts.ROOM).about(about);
    }

    /** A channel as it is listed. */
    private record Seen(int id, Optional<ChannelConfiguration> channel, ChannelStatus status) {
        String name() {
            return channel.map(ChannelConfiguration::name).orElse(Integer.toString(id));
        }

        String protocol() {
            return channel.map(ChannelConfiguration::protocol).orElse("");
        }

        String word() {
            return status.status() == null ? ChannelStatus.OFFLINE_WORD : status.status();
        }
    }

    private static final Map<String, Comparator<? super Seen>> ORDERS =
            Map.of(
                    "id",
                    Comparator.comparingInt(Seen::id),
                    "name",
                    Comparator.comparing(Seen::name),
                    "protocol",
                    Comparator.comparing(Seen::protocol),
                    "status",
                    Comparator.comparing(Seen::word),
                    "last_update",
                    Comparator.comparingLong(each -> seconds(each.status().lastUpdate())));

    private EmsAnswer overview(EmsRequest request) {
        long started = ManagementFactory.getRuntimeMXBean().getStartTime();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("name", "comsrv");
        view.put("version", version);
        view.put("uptime", ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
        view.put("start_time", Texts.iso(Instant.ofEpochMilli(started)));
        view.put("channels", book.size());
        Map<String, Object> bare = new LinkedHashMap<>(view);
        bare.put("active_channels", statuses.query(ONLINE).count());
        view.putAll(site.status(keyspace));
        view.put("active_channels", bare.get("active_channels"));
        return EmsAnswer.ok(view).orBare(bare);
    }

    private EmsAnswer list(EmsRequest request) {
        Paging paging = request.paging();
        Optional<String> protocol = request.query("protocol");
        Optional<String> status = request.query("status");
        Optional<String> search =
                request.query("search").map(text -> text.toLowerCase(Locale.ROOT));
        List<Seen> wanted =
                all().stream()
                        .filter(
                                each ->
                                        protocol.isEmpty()
                                                || each.protocol().equals(protocol.get()))
                        .filter(each -> status.isEmpty() || each.word().equals(status.get()))
                        .filter(
                                each ->
                                        search.isEmpty()
                                                || each.name()
                                                        .toLowerCase(Locale.ROOT)
                                                        .contains(search.get()))
                        .toList();
        Map<Integer, Operations.Wish> wishes = operations.all();
        return EmsAnswer.ok(
                paging.of(
                        wanted,
                        ORDERS,
                        each -> view(each, wishes.getOrDefault(each.id(), Operations.Wish.NONE))));
    }

    /** Configured or online, by number. */
    private List<Seen> all() {
        Map<Integer, Seen> all = new TreeMap<>();
        Map<String, ChannelStatus> known = new LinkedHashMap<>();
        List<String> ids = new ArrayList<>();
        book.all().forEach(each -> ids.add(Integer.toString(each.id())));
        for (Stored<ChannelStatus> each : statuses.getMany(ids)) {
            known.put(each.id(), each.value());
        }
        for (Stored<ChannelStatus> each : statuses.query(ONLINE).limit(MOST).page().items()) {
            known.put(each.id(), each.value());
        }
        known.forEach(
                (id, status) -> {
                    int number = Integer.parseInt(id);
                    all.put(number, new Seen(number, book.get(number), status));
                });
        book.all()
                .forEach(
                        each ->
                                all.putIfAbsent(
                                        each.id(),
                                        new Seen(each.id(), Optional.of(each), none(each.id()))));
        return List.copyOf(all.values());
    }

    private static ChannelStatus none(int id) {
        return new ChannelStatus(Integer.toString(id), null, null, null, null);
    }

    private Map<String, Object> view(Seen seen, Operations.Wish wish) {
        boolean polled = seen.channel().filter(spoken::isPolled).isPresent();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", seen.id());
        view.put("name", seen.name());
        view.put("protocol", seen.protocol());
        view.put("configured", seen.channel().isPresent());
        view.put("enabled", seen.channel().map(ChannelConfiguration::enabled).orElse(true));
        view.putAll(state(seen));
        view.put("polled", polled);
        view.put(
                "running",
                polled
                        ? seen.channel().filter(ChannelConfiguration::enabled).isPresent()
                                && !wish.stopped()
                        : seen.status().online());
        if (polled) {
            String error = polls(seen.id()).getOrDefault("last_error", "");
            view.put("last_error", error.isEmpty() ? null : error);
        }
        return view;
    }

    private Map<String, String> polls(int channel) {
        return keyspace.cells()
                .hash(TelemetryLayouts.polls(Integer.toString(channel)))
                .answer()
                .or(Map.of());
    }

    private static Map<String, Object> state(Seen seen) {
        ChannelStatus status = seen.status();
        long last = seconds(status.lastUpdate());
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("status", seen.word());
        view.put("connected", status.online());
        view.put("last_update", last > 0 ? Texts.iso(Instant.ofEpochSecond(last)) : null);
        view.put("error_count", seconds(status.errorCount()));
        view.put("last_error", null);
        return view;
    }

    private static long seconds(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private Seen seen(int channel) {
        Optional<ChannelStatus> status = statuses.get(Integer.toString(channel)).map(Stored::value);
        Optional<ChannelConfiguration> configuration = channels.get(channel);
        if (status.isEmpty() && configuration.isEmpty() && !channels.exists(channel)) {
            throw ChannelPath.unknown(channel);
        }
        return new Seen(channel, configuration, status.orElseGet(() -> none(channel)));
    }

    private EmsAnswer channel(EmsRequest request) {
        Seen seen = seen(ChannelPath.channel(request));
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", seen.id());
        view.put("name", seen.name());
        view.put("protocol", seen.protocol());
        seen.channel()
                .ifPresent(
                        each ->
                                each.document()
                                        .properties()
                                        .forEach(one -> view.put(one.getKey(), one.getValue())));
        view.put("configured", seen.channel().isPresent());
        view.put("state", state(seen));
        return EmsAnswer.ok(view);
    }

    private EmsAnswer status(EmsRequest request) {
        int channel = ChannelPath.channel(request);
        Seen seen = seen(channel);
        Map<String, Object> view = new LinkedHashMap<>(view(seen, operations.of(channel)));
        Map<String, String> polls = polls(channel);
        Map<String, Object> statistics = new LinkedHashMap<>();
        statistics.put("success_count", seconds(seen.status().successCount()));
        statistics.put("error_count", seconds(seen.status().errorCount()));
        statistics.put("point_count", channels.points(channel));
        statistics.put("reconnect_count", seconds(polls.get("reconnects")));
        statistics.put("last_read_ms", number(polls.get("last_ms")));
        statistics.put("average_read_ms", number(polls.get("average_ms")));
        long started = seconds(polls.get("started_ms"));
        statistics.put("started_at", started > 0 ? Texts.iso(Instant.ofEpochMilli(started)) : null);
        statistics.put("last_error_at", time(polls.get("last_error_at")));
        view.put("statistics", statistics);
        return EmsAnswer.ok(view);
    }

    private static @Nullable Double number(@Nullable String text) {
        double number = text == null ? Double.NaN : Numbers.parse(text);
        return Double.isFinite(number) ? number : null;
    }

    private static @Nullable String time(@Nullable String text) {
        long second = seconds(text);
        return second > 0 ? Texts.iso(Instant.ofEpochSecond(second)) : null;
    }

    private EmsAnswer points(EmsRequest request) {
        int channel = ChannelPath.channel(request);
        Optional<String> letter = request.query("type");
        if (letter.isPresent() && PointType.of(letter.get()).isEmpty()) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "type must be T, S, C or A.").exception();
        }
        Seen seen = seen(channel);
        List<Map<String, Object>> points = new ArrayList<>();
        for (PointType type : PointType.values()) {
            if (letter.isEmpty() || letter.get().equals(type.name())) {
                seen.channel()
                        .map(each -> each.document().path("points").path(type.name()))
                        .filter(JsonNode::isArray)
                        .ifPresent(list -> list.forEach(each -> points.add(point(type, each))));
            }
        }
        return EmsAnswer.ok(request.paging().of(points, each -> each));
    }

    private static Map<String, Object> point(PointType type, JsonNode definition) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("type", type.name());
        definition.properties().forEach(one -> view.put(one.getKey(), one.getValue()));
        return view;
    }
}
