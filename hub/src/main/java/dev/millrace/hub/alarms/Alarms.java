package dev.millrace.hub.alarms;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.alarms.kept.AlarmsKept;
import dev.millrace.hub.alarms.kept.AlarmsLayouts;
import dev.millrace.hub.alarms.kept.Damage;
import dev.millrace.hub.alarms.kept.Evaluation;
import dev.millrace.hub.alarms.kept.RuleChanges;
import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.hub.alarms.logic.Level;
import dev.millrace.hub.alarms.telling.Telling;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsHealthApi;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.Service;
import dev.millrace.hub.history.Past;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.notifications.Notifying;
import dev.millrace.hub.pubsub.Publishing;
import dev.millrace.hub.rehearsal.RehearsalApi;
import dev.millrace.hub.rehearsal.Rehearsals;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.Contributor;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.Written;
import dev.millrace.hub.telemetry.realtime.Announcing;
import dev.millrace.hub.why.Links;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** The room of alarm rules and alarms. Thread-safe once it is started. */
public final class Alarms implements Room, AlarmRules, Alarming {
    private final Site site;
    private final Points points;
    private final Notifying notifying;
    private final Publishing publishing;
    private final List<Route> routes = new ArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    private final Links links = new AlarmLinks(() -> kept());
    private final CompletableFuture<Evaluation> evaluation = new CompletableFuture<>();
    private volatile @Nullable AlarmsKept kept;
    private volatile @Nullable AlarmsService deeds;
    private volatile Supplier<Map<String, Object>> others = Map::of;
    private @Nullable Past past;
    private volatile @Nullable RulesService service;

    /**
     * The room.
     *
     * @param points whose values raise alarms; started before this room, as are the others
     * @param live whose clients are told of alarms
     */
    public Alarms(
            Site site, Points points, Notifying notifying, Publishing publishing, Announcing live) {
        this.site = site;
        this.points = points;
        this.notifying = notifying;
        this.publishing = publishing;
        points.contributor(new Contribution());
        live.announces(new AlarmAnnouncements(() -> kept));
    }

    /** What rules are rehearsed on; said before anything is started. */
    public Alarms with(Past history) {
        past = history;
        return this;
    }

    /** Values that come before the rules are known wait for them. */
    private final class Contribution implements Contributor {
        @Override
        public Contributor.Contribution contribute(Written written, Commit commit) {
            return evaluation.join().contribute(written, commit);
        }

        @Override
        public boolean isPrompt(String source) {
            return evaluation.isDone() && evaluation.join().isPrompt(source);
        }

        @Override
        public boolean isReady() {
            return evaluation.isDone();
        }

        @Override
        public Set<String> watched(String source) {
            return evaluation.isDone() ? evaluation.join().watched(source) : Set.of();
        }

        @Override
        public Set<String> sources() {
            return evaluation.isDone() ? evaluation.join().sources() : Set.of();
        }
    }

    @Override
    public String name() {
        return AlarmsApi.ROOM;
    }

    @Override
    public String about() {
        return "Alarm rules and alarms.";
    }

    @Override
    public List<Declaration> declarations() {
        return AlarmsLayouts.all();
    }

    @Override
    public Optional<Block<?>> settings() {
        return Optional.of(AlarmsSettings.BLOCK);
    }

    @Override
    public List<LiveFeed> feeds() {
        return List.of(
                LiveFeed.of(name(), AlarmsKept.TOPIC, Role.VIEWER, name())
                        .withSnapshot(this::activeAsJson));
    }

    private byte[] activeAsJson() {
        AlarmsKept all = kept;
        return Json.write(
                all == null
                        ? List.of()
                        : all.reads().active().stream().map(AlarmView::of).toList());
    }

    @Override
    public List<String> advice(Keyspace keyspace) {
        return Damage.advice(keyspace);
    }

    @Override
    public void start(House house) {
        AlarmsSettings settings = house.settings(AlarmsSettings.BLOCK);
        Keyspace keyspace = house.keyspace();
        AlarmsKept all = new AlarmsKept(keyspace, site, points, house.figures(), house.clock());
        opened.push(all::close);
        kept = all;
        evaluation.complete(all.evaluation());
        all.start();
        Telling telling = new Telling(keyspace, house.figures(), all.reads());
        opened.push(telling::close);
        telling.notifications(
                notifying,
                (level, category) ->
                        switch (settings.notifications().of(level, category)) {
                            case CRITICAL -> Optional.of(true);
                            case NORMAL -> Optional.of(false);
                            case OFF -> Optional.empty();
                        });
        telling.messages(publishing, settings.messageChannel());
        telling.mqtt(house.mqtt(), settings.mqtt());
        EmsRoutes ems =
                new EmsRoutes(Service.ALARMSRV, house.clock())
                        .audited(site.trail(keyspace, house.clock()));
        RulesService ruleService = new RulesService(all, house.clock());
        service = ruleService;
        new RulesApi(ruleService).addTo(ems);
        AlarmRehearser rehearser =
                new AlarmRehearser(all, Objects.requireNonNull(past, "Who knows the past?"));
        Rehearsals rehearsals = new Rehearsals(house.clock());
        opened.push(rehearsals::close);
        new RehearsalApi(
                        RulesApi.PATH,
                        AlarmsApi.ROOM,
                        rehearsals,
                        (id, rule, span) -> rehearser.rehearsal(id, rule, span).orRefuse(),
                        house.clock())
                .addTo(ems);
        AlarmsService alarmsService = new AlarmsService(all, settings);
        deeds = alarmsService;
        new AlarmsApi(alarmsService).addTo(ems);
        new EventsApi(all.reads(), new Statistics(all.reads(), house.clock()), () -> others.get())
                .addTo(ems);
        routes.addAll(ems.routes());
        routes.addAll(
                new EmsHealthApi(Service.ALARMSRV, house.version(), keyspace, house.clock())
                        .routes());
    }

    // ---------------------------------------------------------------- for other rooms

    @Override
    public Optional<String> raise(
            String id, String level, String title, String description, String by, Origin origin) {
        Map<String, String> fields = new HashMap<>();
        fields.put(AlarmRule.LEVEL, Level.of(level).orElse(Level.WARNING).word());
        fields.put(AlarmRule.TITLE, title);
        if (!description.isEmpty()) {
            fields.put(AlarmRule.DESCRIPTION, description);
        }
        return why(
                service ->
                        service.raise(
                                new AlarmRule(id, fields),
                                new Happening.RaiseByHand(null, by, null, origin)));
    }

    @Override
    public Optional<String> clear(String id, String by) {
        return why(service -> service.clear(id, by));
    }

    private Optional<String> why(Function<AlarmsService, Done<Alarm>> deed) {
        AlarmsService known = deeds;
        if (known == null) {
            return Optional.of("Alarms are not taken yet.");
        }
        return switch (deed.apply(known)) {
            case Done.With<Alarm> done -> Optional.empty();
            case Done.Not<Alarm>(Refused why) ->
                    why.code() == EmsCode.INVALID_STATE
                            ? Optional.empty()
                            : Optional.of(why.message());
        };
    }

    /** Its part of chains. */
    public Links links() {
        return links;
    }

    private @Nullable AlarmsKept kept() {
        return kept;
    }

    @Override
    public void countsToo(Supplier<Map<String, Object>> figures) {
        others = figures;
    }

    @Override
    public List<Happened> between(long from, long to) {
        AlarmsKept all = kept;
        return all == null ? List.of() : EventTimes.between(all.reads().events(), from, to);
    }

    @Override
    public Topic events() {
        return AlarmsKept.TOPIC;
    }

    @Override
    public Optional<Refused> mistake(String id, ObjectNode rule) {
        if (RuleReader.id(id) instanceof Done.Not<String>(Refused why)) {
            return Optional.of(why);
        }
        return RuleReader.rule(id, rule) instanceof Done.Not<AlarmRule>(Refused why)
                ? Optional.of(why)
                : Optional.empty();
    }

    @Override
    public void put(Commit commit, String id, ObjectNode rule, String user) {
        AlarmRule read = RuleReader.rule(id, rule).orRefuse();
        RulesService all = Objects.requireNonNull(service);
        rules().addTo(commit, before -> all.wish(read, rule, before), id, user);
    }

    @Override
    public void remove(Commit commit, String id, String user) {
        rules().removeFrom(commit, id, user);
    }

    @Override
    public List<String> of(String source) {
        return rules().rulesOf(source);
    }

    @Override
    public void changed(String source) {
        rules().changed(source);
    }

    private RuleChanges rules() {
        return Objects.requireNonNull(kept, "The room is not open.").rules();
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
        evaluation.cancel(false);
    }
}
