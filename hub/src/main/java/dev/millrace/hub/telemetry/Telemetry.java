package dev.millrace.hub.telemetry;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsHealthApi;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Service;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The room of device channels and the values of their points. Thread-safe once it is started. */
public final class Telemetry implements Room, Points {
    static final String ROOM = "telemetry";

    private final Site site;
    private final List<Contributor> contributors = new ArrayList<>();
    private final List<Route> routes = new ArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    private @Nullable ChannelBook book;
    private @Nullable Values values;
    private @Nullable Looks looks;

    public Telemetry(Site site) {
        this.site = site;
    }

    @Override
    public String name() {
        return ROOM;
    }

    @Override
    public String about() {
        return "Device channels, their points and their commands.";
    }

    @Override
    public List<Declaration> declarations() {
        return TelemetryLayouts.all();
    }

    @Override
    public Optional<Block<?>> settings() {
        return Optional.of(TelemetrySettings.BLOCK);
    }

    @Override
    public List<LiveFeed> feeds() {
        return List.of(LiveFeed.of(ROOM, ValueWrites.TOPIC, Role.VIEWER, ROOM));
    }

    @Override
    public List<String> advice(Keyspace keyspace) {
        List<String> advice = new ArrayList<>(site.advice(keyspace));
        advice.addAll(SpoiltKeys.advice(keyspace));
        return advice;
    }

    @Override
    public void start(House house) {
        Keyspace keyspace = house.keyspace();
        ChannelBook channels = ChannelBook.open(keyspace, site);
        opened.push(channels::close);
        book = channels;
        ChannelHealth health = new ChannelHealth(keyspace, site, channels);
        ValueWrites writes = new ValueWrites(keyspace, health, house.clock());
        writes.contributors(contributors);
        Values all = new Values(keyspace, channels, writes, house.clock());
        values = all;
        TelemetrySettings settings = house.settings(TelemetrySettings.BLOCK);
        opened.push(
                new OfflineWatch(
                                keyspace,
                                channels,
                                all,
                                writes,
                                settings.offlineAfter(),
                                house.figures(),
                                house.clock())
                        ::close);
        Looks looking =
                new Looks(
                        keyspace,
                        channels,
                        all,
                        writes,
                        contributors,
                        house.figures(),
                        house.clock());
        opened.push(looking::close);
        looks = looking;
        if (house.mqtt().on() && settings.mqtt().ingest()) {
            opened.push(
                    new MqttIngest(keyspace, house.mqtt(), all, house.figures(), house.clock())
                            ::close);
        }
        EmsRoutes ems = new EmsRoutes(Service.COMSRV, house.clock());
        Channels configurations =
                new Channels(keyspace, site, channels, health, all, house.clock());
        configurations.users(contributors);
        new ChannelsApi(configurations, channels).addTo(ems);
        new ChannelViewsApi(house.version(), keyspace, channels, configurations, all).addTo(ems);
        new ValuesApi(all).addTo(ems);
        routes.addAll(ems.routes());
        routes.addAll(
                new EmsHealthApi(Service.COMSRV, house.version(), keyspace, house.clock())
                        .routes());
    }

    @Override
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public void stop() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }

    // ---------------------------------------------------------------- for other rooms

    @Override
    public void contributor(Contributor contributor) {
        contributors.add(contributor);
    }

    @Override
    public Optional<Present> present(String source, String field) {
        Values all = values;
        if (all == null) {
            return Optional.empty();
        }
        return Source.parse(source)
                .map(name -> all.some(name.channel(), name.type(), List.of(field)))
                .filter(stored -> !stored.isEmpty())
                .map(stored -> stored.present(field));
    }

    @Override
    public void lookAt(String source, Set<String> fields) {
        Looks looking = looks;
        if (looking != null) {
            looking.lookAt(source, fields);
        }
    }

    @Override
    public Optional<About> about(String source, String field) {
        return Source.parse(source)
                .flatMap(
                        name ->
                                configuration(name.channel())
                                        .flatMap(each -> each.point(name.type(), field)))
                .map(Telemetry::about);
    }

    private static About about(PointDefinition point) {
        return new About(point.name(), point.unit());
    }

    @Override
    public Optional<String> channelName(int channel) {
        return configuration(channel).map(ChannelConfiguration::name);
    }

    private Optional<ChannelConfiguration> configuration(int channel) {
        ChannelBook known = book;
        return known == null ? Optional.empty() : known.get(channel);
    }
}
