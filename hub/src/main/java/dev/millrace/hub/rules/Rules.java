package dev.millrace.hub.rules;

import dev.millrace.hub.alarms.Alarming;
import dev.millrace.hub.ems.EmsHealthApi;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Service;
import dev.millrace.hub.history.Past;
import dev.millrace.hub.history.recording.Recordable;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.models.ModelOrders;
import dev.millrace.hub.notifications.Notifying;
import dev.millrace.hub.pubsub.Publishing;
import dev.millrace.hub.rehearsal.RehearsalApi;
import dev.millrace.hub.rehearsal.Rehearsals;
import dev.millrace.hub.rules.kept.RuleBook;
import dev.millrace.hub.rules.kept.RulesLayouts;
import dev.millrace.hub.rules.kept.RunLog;
import dev.millrace.hub.rules.running.Rehearser;
import dev.millrace.hub.rules.running.Running;
import dev.millrace.hub.rules.running.Ways;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.why.Links;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The room of business rules. Thread-safe once it is started. */
public final class Rules implements Room {
    private final Site site;
    private final Points points;
    private final Recordable models;
    private final Past past;
    private final Commands commands;
    private final ModelOrders orders;
    private final Notifying notifying;
    private final Publishing publishing;
    private final Alarming alarming;
    private final List<Route> routes = new ArrayList<>();
    private volatile @Nullable Links links;

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    /**
     * The room.
     *
     * @param points what rules look at; started before this room, as are all others here
     * @param models what wakes rules that look at models
     * @param past what they are rehearsed on
     */
    public Rules(
            Site site,
            Points points,
            Recordable models,
            Past past,
            Commands commands,
            ModelOrders orders,
            Notifying notifying,
            Publishing publishing,
            Alarming alarming) {
        this.site = site;
        this.points = points;
        this.models = models;
        this.past = past;
        this.commands = commands;
        this.orders = orders;
        this.notifying = notifying;
        this.publishing = publishing;
        this.alarming = alarming;
    }

    @Override
    public String name() {
        return RulesApi.ROOM;
    }

    @Override
    public String about() {
        return "Business rules and their executions.";
    }

    @Override
    public List<Declaration> declarations() {
        return RulesLayouts.all();
    }

    @Override
    public void start(House house) {
        Keyspace keyspace = house.keyspace();
        RuleBook book = new RuleBook(keyspace);
        RunLog runs = new RunLog(keyspace);
        Running running =
                new Running(
                        keyspace,
                        book,
                        runs,
                        site,
                        new Ways(points, commands, orders, notifying, publishing, alarming),
                        models,
                        alarming.events(),
                        house.clock(),
                        house.figures());
        opened.push(running::close);
        if (!keyspace.redis().cluster()) {
            var others =
                    keyspace.foreignWrites(RulesLayouts.watched(), noticed -> running.noticed());
            opened.push(others::close);
        }
        EmsRoutes ems = new EmsRoutes(Service.RULESRV, house.clock());
        links = new RuleLinks(book, runs);
        RulesService service =
                new RulesService(
                        book, runs, running, new Rehearser(past, alarming, runs), house.clock());
        alarming.countsToo(service::statistics);
        new RulesApi(service).addTo(ems);
        Rehearsals rehearsals = new Rehearsals(house.clock());
        opened.push(rehearsals::close);
        new RehearsalApi(
                        "/api/rules",
                        RulesApi.ROOM,
                        rehearsals,
                        (id, rule, span) -> RulesApi.orRefuse(service.rehearsal(id, rule, span)),
                        house.clock())
                .addTo(ems);
        routes.addAll(ems.routes());
        routes.addAll(
                new EmsHealthApi(Service.RULESRV, house.version(), keyspace, house.clock())
                        .routes());
    }

    /** Its part of chains. */
    public Links links() {
        return Links.later(() -> links);
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
}
