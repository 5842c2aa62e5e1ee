package dev.millrace.hub.history;

import dev.millrace.hub.ems.EmsHealthApi;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Service;
import dev.millrace.hub.history.asking.Answers;
import dev.millrace.hub.history.asking.Latest;
import dev.millrace.hub.history.batches.BatchKeeper;
import dev.millrace.hub.history.batches.BatchLayouts;
import dev.millrace.hub.history.batches.BatchWriter;
import dev.millrace.hub.history.batches.Batches;
import dev.millrace.hub.history.batches.BatchesApi;
import dev.millrace.hub.history.kept.Gaps;
import dev.millrace.hub.history.kept.HistoryLayouts;
import dev.millrace.hub.history.kept.Holdings;
import dev.millrace.hub.history.kept.Keeping;
import dev.millrace.hub.history.kept.Marks;
import dev.millrace.hub.history.kept.RollupReads;
import dev.millrace.hub.history.kept.RollupWrites;
import dev.millrace.hub.history.kept.SampleDeletes;
import dev.millrace.hub.history.kept.SampleReads;
import dev.millrace.hub.history.kept.SampleWriter;
import dev.millrace.hub.history.recording.Recordable;
import dev.millrace.hub.history.recording.Recording;
import dev.millrace.hub.history.rollups.Roller;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.timeseries.HistoryIngest;
import dev.millrace.hub.history.timeseries.TimeseriesApi;
import dev.millrace.hub.history.transfer.Export;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.realtime.Bygones;
import dev.millrace.hub.work.Retention;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The room of samples over time. Thread-safe once it is started. */
public final class History implements Room, Past {
    private static final long LOOK_BACK = Duration.ofDays(1).toMillis();

    private final Site site;
    private final Points points;
    private final List<Recordable> others;
    private final List<Route> routes = new ArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    private @Nullable Configuration configuration;
    private @Nullable SampleReads reads;
    private volatile @Nullable HistoryApi asked;
    private @Nullable TimeseriesApi timeseries;

    /**
     * The room.
     *
     * @param points whose values are recorded
     * @param others who announce values too
     */
    public History(Site site, Points points, List<Recordable> others) {
        this.site = site;
        this.points = points;
        this.others = List.copyOf(others);
    }

    @Override
    public String name() {
        return HistoryApi.ROOM;
    }

    @Override
    public String about() {
        return "Samples over time.";
    }

    @Override
    public List<Declaration> declarations() {
        return Stream.of(HistoryLayouts.all(), BatchLayouts.all()).flatMap(List::stream).toList();
    }

    @Override
    public Optional<Block<?>> settings() {
        return Optional.of(HistorySettings.BLOCK);
    }

    @Override
    public void start(House house) {
        HistorySettings settings = house.settings(HistorySettings.BLOCK);
        Keyspace keyspace = house.keyspace();
        Configuration rules = new Configuration(keyspace, site, settings);
        configuration = rules;
        Marks marks = new Marks(keyspace);
        List<Recordable> recordables = Recording.all(points, others);
        if (settings.record().on()) {
            opened.push(
                    Recording.start(
                                    keyspace,
                                    recordables,
                                    rules,
                                    marks,
                                    new BatchWriter(
                                            keyspace,
                                            settings.batches(),
                                            house.figures(),
                                            house.clock()),
                                    house.figures(),
                                    house.clock())
                            ::close);
        } else {
            Recording.forget(keyspace, recordables);
        }
        SampleReads samples = new SampleReads(keyspace);
        reads = samples;
        SampleWriter writer = new SampleWriter(keyspace, marks, house.clock());
        RollupWrites rollups = new RollupWrites(keyspace, settings.rollups()::of, house.clock());
        if (settings.rollups().on()) {
            opened.push(
                    Roller.start(
                                    keyspace,
                                    rollups,
                                    () -> Recording.oldestUnread(keyspace, recordables),
                                    () -> rules.get().longest(),
                                    house.figures(),
                                    house.clock())
                            ::close);
        }
        Batches batches =
                new Batches(keyspace, site, settings.batches(), house.figures(), house.clock());
        if (settings.batches().on()) {
            opened.push(BatchKeeper.start(keyspace, batches, house.figures())::close);
        }
        opened.push(
                Retention.start(
                                keyspace,
                                HistoryApi.ROOM,
                                settings.keep(),
                                new Keeping(keyspace, house.clock()),
                                house.figures(),
                                house.clock())
                        ::close);
        EmsRoutes ems = new EmsRoutes(Service.HISSRV, house.clock());
        new IndexApi(samples, new Latest(samples, house.clock()), new Gaps(keyspace), house.clock())
                .addTo(ems);
        Answers answers = new Answers(samples, new RollupReads(keyspace), rules, house.clock());
        new SamplesApi(
                        writer,
                        new SampleDeletes(keyspace, rollups, marks, house.clock()),
                        new Export(samples, answers),
                        rules,
                        house.clock())
                .addTo(ems);
        new ConfigApi(rules).addTo(ems);
        new BatchesApi(batches).addTo(ems);
        new RollupsApi(new Holdings(keyspace, house.clock()), house.clock()).addTo(ems);
        HistoryApi questions = new HistoryApi(answers, house.clock());
        questions.addTo(ems);
        asked = questions;
        TimeseriesApi brewblox =
                new TimeseriesApi(
                        settings.timeseries().name(),
                        keyspace,
                        samples,
                        answers,
                        new Latest(samples, house.clock()),
                        house.clock());
        opened.push(brewblox::close);
        timeseries = brewblox;
        routes.addAll(brewblox.routes());
        if (house.mqtt().on() && settings.timeseries().ingest()) {
            opened.push(
                    HistoryIngest.start(
                                    keyspace,
                                    house.mqtt(),
                                    writer,
                                    rules,
                                    house.figures(),
                                    house.clock())
                            ::close);
        }
        routes.addAll(ems.routes());
        routes.addAll(
                new EmsHealthApi(Service.HISSRV, house.version(), keyspace, house.clock())
                        .routes());
    }

    @Override
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public List<String> warnings() {
        Configuration known = configuration;
        return known == null
                ? List.of()
                : known.faults().stream()
                        .map(each -> "history: config:service:hissrv is wrong: " + each)
                        .toList();
    }

    @Override
    public void letGo() {
        TimeseriesApi known = timeseries;
        if (known != null) {
            known.close();
        }
    }

    @Override
    public void stop() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }

    // ---------------------------------------------------------------- for other rooms

    /** What live clients ask; of use once this room is started. */
    public Bygones bygones() {
        return new AskedLive(() -> asked);
    }

    @Override
    public void replay(List<SeriesName> series, Instant from, Instant to, Taker taker) {
        SampleReads known = reads;
        if (known != null && !series.isEmpty()) {
            known.together(series, from.toEpochMilli(), to.toEpochMilli(), taker::take);
        }
    }

    @Override
    public Optional<Sample> before(SeriesName series, Instant at) {
        SampleReads known = reads;
        long to = at.toEpochMilli();
        return known == null ? Optional.empty() : known.newest(series, to - LOOK_BACK, to);
    }
}
