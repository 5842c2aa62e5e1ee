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
import dev.millrace.hub.telemetry.bus.Drivers;
import dev.millrace.hub.telemetry.bus.Operations;
import dev.millrace.hub.telemetry.bus.Spoken;
import dev.millrace.hub.telemetry.bus.modbus.ModbusProtocol;
import dev.millrace.hub.telemetry.bus.virtual.VirtualProtocol;
import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.channels.ChannelKind;
import dev.millrace.hub.telemetry.channels.ChannelViewsApi;
import dev.millrace.hub.telemetry.channels.Channels;
import dev.millrace.hub.telemetry.channels.ChannelsApi;
import dev.millrace.hub.telemetry.channels.ForeignChannels;
import dev.millrace.hub.telemetry.commands.CommandDesk;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.telemetry.commands.rest.CommandsApi;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.telemetry.realtime.Announcements;
import dev.millrace.hub.telemetry.realtime.Announcing;
import dev.millrace.hub.telemetry.realtime.Bygones;
import dev.millrace.hub.telemetry.realtime.EventAnnouncements;
import dev.millrace.hub.telemetry.realtime.Realtime;
import dev.millrace.hub.telemetry.realtime.RealtimeApi;
import dev.millrace.hub.telemetry.realtime.RealtimeRestApi;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The room of device channels and the values of their points. Thread-safe once it is started. */
public final class Telemetry implements Room, Points, Announcing {
    static final String ROOM = TelemetryLayouts.ROOM;

    private final Site site;
    private final CommandDesk commands;
    private final List<Contributor> contributors = new ArrayList<>();
    private final List<Supplier<Set<String>>> users = new ArrayList<>();
    private final List<Announcements> announcements = new ArrayList<>();
    private final List<Route> routes = new ArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    private @Nullable Bygones bygones;
    private @Nullable ChannelBook book;
    private @Nullable Values values;
    private @Nullable Looks looks;
    private @Nullable ChannelPlace place;
    private @Nullable Snapshot snapshot;

    public Telemetry(Site site) {
        this.site = site;
        this.commands = new CommandDesk(site, ROOM);
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
        return List.of(
                LiveFeed.of(ROOM, TelemetryLayouts.TOPIC, Role.VIEWER, ROOM)
                        .withSnapshot(this::valuesAsJson),
                commands.feed());
    }

    private byte[] valuesAsJson() {
        Snapshot all = snapshot;
        return all == null ? new byte[] {'[', ']'} : all.json();
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
        // All that are spoken here.
        Spoken spoken =
                new Spoken(List.of(new ModbusProtocol(), new VirtualProtocol(house.clock())));
        ChannelBook channels = ChannelBook.open(keyspace, site);
        opened.push(channels::close);
        book = channels;
        KnownChannels known = new KnownChannels();
        ChannelHealth health = new ChannelHealth(keyspace, site, channels, known);
        ValueWrites writes = new ValueWrites(keyspace, health, house.clock());
        writes.contributors(contributors);
        Values all = new Values(keyspace, channels, writes, known, house.clock());
        values = all;
        snapshot = new Snapshot(keyspace, channels, all, house.clock());
        TelemetrySettings settings = house.settings(TelemetrySettings.BLOCK);
        opened.push(
                new OfflineWatch(
                                keyspace,
                                site,
                                channels,
                                all,
                                writes,
                                settings.offlineAfter(),
                                house.figures(),
                                house.clock())
                        ::close);
        Channels configurations =
                new Channels(
                        keyspace, site, channels, health, this::watched, spoken, house.clock());
        ForeignChannels others =
                new ForeignChannels(
                        keyspace, site, channels, configurations, health, house.clock());
        Looks looking =
                new Looks(
                        keyspace,
                        channels,
                        all,
                        writes,
                        contributors,
                        others::sweep,
                        house.figures(),
                        house.clock());
        opened.push(looking::close);
        looks = looking;
        opened.push(new Hints(keyspace, channels, others, looking)::close);
        if (house.mqtt().on() && settings.mqtt().ingest()) {
            opened.push(
                    new MqttIngest(keyspace, house.mqtt(), all, house.figures(), house.clock())
                            ::close);
        }
        commands.start(keyspace, channels, settings.commands(), house.figures(), house.clock());
        opened.push(commands::close);
        Operations operations = new Operations(keyspace);
        Drivers driving =
                new Drivers(
                        keyspace,
                        spoken,
                        new DeviceJournal(channels, all, writes, health, house.clock()),
                        List.of(commands.holding()),
                        channels::all,
                        operations,
                        house.figures(),
                        house.clock());
        channels.listener(driving::wake);
        opened.push(driving::close);
        driving.start();
        EmsRoutes ems =
                new EmsRoutes(Service.COMSRV, house.clock())
                        .audited(site.trail(keyspace, house.clock()));
        new ChannelsApi(configurations, channels, operations, spoken, driving::wake).addTo(ems);
        ChannelPlace here = new ChannelPlace(keyspace, site, all, looking, channels, contributors);
        place = here;
        site.place(here);
        site.kind(new ChannelKind(configurations, channels));
        site.counts(
                Site.Counted.TOTAL_CHANNELS,
                TelemetryLayouts.CHANNELS,
                TelemetryLayouts.CONFIGURED);
        site.counts(
                Site.Counted.ACTIVE_CHANNELS,
                TelemetryLayouts.CHANNEL_STATUS,
                TelemetryLayouts.ONLINE);
        new ChannelViewsApi(
                        house.version(),
                        keyspace,
                        site,
                        channels,
                        configurations,
                        operations,
                        spoken)
                .addTo(ems);
        ValuesApi valuesApi = new ValuesApi(all, configurations);
        valuesApi.addTo(ems);
        new CommandsApi(commands, valuesApi::write, name(), house.clock()).addTo(ems);
        StoredPoints stored = new StoredPoints(all, channels, configurations);
        new RealtimeRestApi(stored).addTo(ems);
        routes.addAll(ems.routes());
        List<Announcements> told = new ArrayList<>(announcements);
        told.add(new EventAnnouncements(keyspace, site));
        Realtime realtime =
                Realtime.open(
                        keyspace,
                        TelemetryLayouts.TOPIC,
                        stored,
                        new Realtime.Orders(commands, commands.feed().topic()),
                        told,
                        Objects.requireNonNull(bygones, "bygones"),
                        house.gate(),
                        settings.realtime(),
                        house.figures(),
                        house.clock());
        opened.push(realtime::close);
        routes.addAll(new RealtimeApi(realtime).routes());
        routes.addAll(
                new EmsHealthApi(Service.COMSRV, house.version(), keyspace, house.clock())
                        .routes());
    }

    private Set<String> watched() {
        return Stream.concat(
                        contributors.stream().map(Contributor::sources),
                        users.stream().map(Supplier::get))
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
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

    /** With where live clients ask for the past; to be called before anything is started. */
    public Telemetry with(Bygones past) {
        bygones = past;
        return this;
    }

    /** Orders to devices; of use once this room is started. */
    public Commands commands() {
        return commands;
    }

    @Override
    public Topic changes() {
        return TelemetryLayouts.TOPIC;
    }

    @Override
    public void contributor(Contributor contributor) {
        contributors.add(contributor);
    }

    @Override
    public void announces(Announcements source) {
        announcements.add(source);
    }

    /** The feed in which commands are told. */
    public Topic orders() {
        return commands.feed().topic();
    }

    @Override
    public void user(Supplier<Set<String>> sources) {
        users.add(sources);
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
    public Map<String, Present> presentOf(String source, Set<String> fields) {
        Values all = values;
        Optional<Source.Name> name = Source.parse(source);
        if (all == null || name.isEmpty() || fields.isEmpty()) {
            return Map.of();
        }
        Values.Stored stored = all.some(name.get().channel(), name.get().type(), fields);
        Map<String, Present> present = new HashMap<>();
        stored.values().keySet().forEach(field -> present.put(field, stored.present(field)));
        return present;
    }

    @Override
    public Optional<String> write(String source, Map<String, String> written) {
        return write(source, written, Optional.empty());
    }

    @Override
    public Optional<String> write(String source, Map<String, String> written, Origin origin) {
        return write(source, written, Optional.of(origin));
    }

    private Optional<String> write(
            String source, Map<String, String> written, Optional<Origin> origin) {
        ChannelPlace known = place;
        return known == null
                ? Optional.of("The room of channels is not open.")
                : known.write(source, written, origin);
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
