package dev.millrace.hub.models;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.alarms.AlarmRules;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsHealthApi;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.Service;
import dev.millrace.hub.history.recording.Recordable;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.Contributor;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.commands.Command;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.telemetry.commands.Companion;
import dev.millrace.hub.telemetry.commands.Submitted;
import dev.millrace.hub.telemetry.realtime.Announcing;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

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

/**
 * The room of models and templates. To other rooms it is the points of channels and those of models
 * together: alarm rules watch either. Thread-safe once it is started.
 */
public final class Models implements Room, Points, ModelOrders {
    private static final String PREFIX = "model:";
    private static final String SUFFIX = ":measurement";

    private final Site site;
    private final Points channels;
    private final Commands commands;
    private final Topic orders;
    private final List<Contributor> contributors = new ArrayList<>();
    private final List<Route> routes = new ArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    private @Nullable AlarmRules rules;
    private volatile @Nullable ModelBook book;
    private volatile ModelAnnouncements.@Nullable Open announced;
    private volatile @Nullable ModelWrites writes;
    private volatile @Nullable ModelActions actions;

    /**
     * The room.
     *
     * @param channels the points of channels, whose values feed models
     * @param commands what actions become
     * @param orders the feed in which commands are told
     * @param live where clients listen
     */
    public Models(Site site, Points channels, Commands commands, Topic orders, Announcing live) {
        this.site = site;
        this.channels = channels;
        this.commands = commands;
        this.orders = orders;
        channels.user(this::sources);
        live.announces(new ModelAnnouncements(() -> announced));
        commands.companion(
                new Companion() {
                    @Override
                    public void step(Command after, Commit commit) {
                        ModelActions known = actions;
                        if (known != null) {
                            known.step(after, commit);
                        }
                    }
                });
    }

    private Set<String> sources() {
        ModelBook known = book;
        return known == null ? Set.of() : known.sources();
    }

    /** Where alarm rules of models are kept; said before anything is started. */
    public Models with(AlarmRules alarmRules) {
        rules = alarmRules;
        return this;
    }

    /** What history records of models. */
    public Recordable recordable() {
        return new Recorded();
    }

    @Override
    public String name() {
        return ModelsApi.ROOM;
    }

    @Override
    public String about() {
        return "Models and templates.";
    }

    @Override
    public List<Declaration> declarations() {
        return ModelsLayouts.all();
    }

    @Override
    public List<LiveFeed> feeds() {
        return List.of(LiveFeed.of(name(), ModelsLayouts.TOPIC, Role.VIEWER, name()));
    }

    @Override
    public void start(House house) {
        Keyspace keyspace = house.keyspace();
        AlarmRules alarmRules = Objects.requireNonNull(rules, "Who keeps alarm rules?");
        ModelBook models = ModelBook.open(keyspace, site);
        opened.push(models::close);
        book = models;
        announced = new ModelAnnouncements.Open(keyspace, models);
        ModelWrites all = new ModelWrites(keyspace, site, channels, contributors);
        writes = all;
        ModelActions ordering = new ModelActions(keyspace, models, commands);
        actions = ordering;
        if (keyspace.redis().cluster()) {
            opened.push(
                    new ActionFollower(keyspace, orders, commands, ordering, house.figures())
                            ::close);
        }
        ModelService service =
                new ModelService(keyspace, site, models, all, alarmRules, house.clock());
        TemplateService templates =
                new TemplateService(keyspace, site, models, service, house.clock());
        site.kind(new TemplateKind(templates));
        site.kind(service);
        site.counts(Site.Counted.TOTAL_MODELS, ModelsLayouts.MODELS, ModelsLayouts.INDEX);
        ModelFollower follower =
                new ModelFollower(keyspace, models, all, channels, house.figures(), house.clock());
        opened.push(follower::close);
        site.place(new ModelPlace(models, all, follower, house.clock()));
        opened.push(
                new ModelNotices(
                                keyspace,
                                models,
                                service,
                                all,
                                contributors,
                                house.figures(),
                                house.clock())
                        ::close);
        EmsRoutes ems =
                new EmsRoutes(Service.MODSRV, house.clock())
                        .audited(site.trail(keyspace, house.clock()));
        new ModelsApi(keyspace, models, service, all, follower, ordering, house.clock()).addTo(ems);
        new TemplatesApi(templates).addTo(ems);
        routes.addAll(ems.routes());
        routes.addAll(
                new EmsHealthApi(Service.MODSRV, house.version(), keyspace, house.clock())
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

    private Optional<Model> model(String source) {
        ModelBook known = book;
        return known == null || !isModel(source)
                ? Optional.empty()
                : known.get(source.substring(PREFIX.length(), source.length() - SUFFIX.length()));
    }

    @Override
    public Submitted order(String model, String action, String value, Actor by, String commandId) {
        ModelBook known = book;
        ModelActions deeds = actions;
        Optional<Model> found = known == null ? Optional.empty() : known.get(model);
        if (deeds == null || found.isEmpty()) {
            return not(EmsCode.MODEL_NOT_FOUND, "There is no model '%s'.".formatted(model));
        }
        double number;
        try {
            number = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            return not(EmsCode.VALIDATION_ERROR, "The value of an action is a number.");
        }
        if (!Double.isFinite(number)) {
            return not(EmsCode.VALIDATION_ERROR, "The value of an action is a number.");
        }
        return switch (deeds.execute(found.get(), action, value, number, by, commandId)) {
            case ModelActions.Done.Given(Command command, var point) ->
                    new Submitted.Accepted(command);
            case ModelActions.Done.Not(Refused why) -> new Submitted.Not(why);
        };
    }

    private static Submitted not(EmsCode code, String sentence) {
        return new Submitted.Not(Refused.of(code, sentence));
    }

    private static boolean isModel(String source) {
        return source.startsWith(PREFIX)
                && source.endsWith(SUFFIX)
                && source.length() > PREFIX.length() + SUFFIX.length();
    }

    @Override
    public Topic changes() {
        return channels.changes();
    }

    @Override
    public void contributor(Contributor contributor) {
        channels.contributor(contributor);
        contributors.add(contributor);
    }

    @Override
    public void user(Supplier<Set<String>> sources) {
        channels.user(sources);
    }

    @Override
    public Optional<Present> present(String source, String field) {
        return Optional.ofNullable(presentOf(source, Set.of(field)).get(field));
    }

    @Override
    public Map<String, Present> presentOf(String source, Set<String> fields) {
        if (!isModel(source)) {
            return channels.presentOf(source, fields);
        }
        ModelWrites known = writes;
        Optional<Model> model = model(source);
        if (known == null || model.isEmpty()) {
            return Map.of();
        }
        // Another hub may have written it a moment ago.
        known.forget(model.get().id());
        ModelState state = known.state(model.get());
        Map<String, Present> present = new HashMap<>();
        for (Map.Entry<String, JsonNode> each : state.some(fields).entrySet()) {
            present.put(
                    each.getKey(),
                    new Present(
                            ModelWrites.value(model.get(), state, each.getKey(), each.getValue()),
                            Optional.empty()));
        }
        return present;
    }

    @Override
    public Optional<String> write(String source, Map<String, String> values) {
        return channels.write(source, values);
    }

    @Override
    public Optional<String> write(String source, Map<String, String> values, Origin origin) {
        return channels.write(source, values, origin);
    }

    @Override
    public void lookAt(String source, Set<String> fields) {
        if (!isModel(source)) {
            channels.lookAt(source, fields);
            return;
        }
        ModelNotices.lookAt(writes, model(source), fields);
    }

    @Override
    public Optional<About> about(String source, String field) {
        return isModel(source)
                ? model(source).map(each -> new About(field, ""))
                : channels.about(source, field);
    }

    @Override
    public Optional<String> channelName(int channel) {
        return channels.channelName(channel);
    }
}
