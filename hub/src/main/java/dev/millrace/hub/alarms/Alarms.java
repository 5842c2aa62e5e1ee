package dev.millrace.hub.alarms;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.alarms.kept.AlarmsKept;
import dev.millrace.hub.alarms.kept.AlarmsLayouts;
import dev.millrace.hub.alarms.kept.Damage;
import dev.millrace.hub.alarms.kept.Evaluation;
import dev.millrace.hub.alarms.telling.Telling;
import dev.millrace.hub.ems.EmsHealthApi;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Service;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.notifications.Notifying;
import dev.millrace.hub.pubsub.Publishing;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.Contributor;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.Written;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The room of alarm rules and alarms. Thread-safe once it is started. */
public final class Alarms implements Room {
    private final Site site;
    private final Points points;
    private final Notifying notifying;
    private final Publishing publishing;
    private final List<Route> routes = new ArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    private final CompletableFuture<Evaluation> evaluation = new CompletableFuture<>();
    private @Nullable AlarmsKept kept;

    /**
     * The room.
     *
     * @param points whose values raise alarms; started before this room, as are the others
     */
    public Alarms(Site site, Points points, Notifying notifying, Publishing publishing) {
        this.site = site;
        this.points = points;
        this.notifying = notifying;
        this.publishing = publishing;
        points.contributor(new Contribution());
    }

    /** Values that come before the rules are known wait for them. */
    private final class Contribution implements Contributor {
        @Override
        public Contributor.Contribution contribute(Written written, Commit commit) {
            return evaluation.join().contribute(written, commit);
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
        EmsRoutes ems = new EmsRoutes(Service.ALARMSRV, house.clock());
        new RulesApi(new RulesService(all, house.clock())).addTo(ems);
        new AlarmsApi(new AlarmsService(all, settings)).addTo(ems);
        new EventsApi(all.reads(), new Statistics(all.reads(), house.clock())).addTo(ems);
        routes.addAll(ems.routes());
        routes.addAll(
                new EmsHealthApi(Service.ALARMSRV, house.version(), keyspace, house.clock())
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
        evaluation.cancel(false);
    }
}
