package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.work.Beat;
import dev.millrace.hub.work.Bell;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** All that keeps alarm rules and alarms, opened and closed together. Thread-safe. */
public final class AlarmsKept implements AutoCloseable {
    /** What happened to alarms and their rules. */
    public static final Topic TOPIC = AlarmWrites.TOPIC;

    private static final Logger log = LoggerFactory.getLogger(AlarmsKept.class);

    /** What others write by hand is noticed; this is for what nobody heard of. */
    private static final Duration COUNTING = Duration.ofSeconds(5);

    private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(60);
    private static final Duration BETWEEN_SUMS = Duration.ofSeconds(30);

    /** Within this time a hub learns what another one has changed. */
    private static final Duration SOON = Duration.ofSeconds(1);

    /** Where a change is heard of, this is for what nobody heard of. */
    private static final Duration SELDOM = Duration.ofSeconds(30);

    private final AlarmWrites writes;
    private final LateValues late;
    private final Timers timers;
    private final Watchlists lists;
    private final Evaluation evaluation;
    private final AlarmChanges changes;
    private final RuleChanges rules;
    private final AlarmReads reads;
    private final Mending mending;
    private final Keyspace keyspace;
    private final MeterRegistry figures;
    private final InstantSource clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Bell bell = new Bell();

    /** Homes of which somebody, perhaps this hub, has changed the generation. */
    private final Set<String> touched = ConcurrentHashMap.newKeySet();

    private final Thread looker = Thread.ofVirtual().name("alarm-rules").unstarted(this::look);

    /** Of the duty alone. */
    private long counted = -1;

    /** Of the duty alone, in ms. */
    private long sweptAt;

    /** Of the duty alone, in ms. */
    private long summedAt;

    private volatile @Nullable Duty duty;
    private @Nullable ForeignWrites others;

    public AlarmsKept(
            Keyspace keyspace,
            Site site,
            Points points,
            MeterRegistry figures,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.figures = figures;
        this.clock = clock;
        Observed observed = new Observed(points);
        lists = new Watchlists(keyspace);
        writes = new AlarmWrites(keyspace, site, observed::about);
        site.counts(Site.Counted.ACTIVE_ALARMS, AlarmsLayouts.ALARMS, AlarmsLayouts.ACTIVE);
        late = new LateValues(keyspace, lists);
        evaluation = new Evaluation(lists, writes, late, clock);
        changes = new AlarmChanges(keyspace, lists, writes, observed, clock);
        rules = new RuleChanges(keyspace, lists, writes, changes, observed, clock);
        reads = new AlarmReads(keyspace, lists);
        mending = new Mending(keyspace, lists, writes, changes, rules, observed, clock);
        timers = new Timers(writes.timers(), changes::due, clock);
        writes.whenTimerIsSet(timers::expect);
        Gauge.builder("millrace.alarms.rules", lists, Watchlists::size)
                .description("Alarm rules that this hub knows.")
                .register(figures);
    }

    /** Reads all rules, takes over what others have written meanwhile, and begins to work. */
    public void start() {
        lists.loadAll();
        mending.sweep();
        late.start();
        timers.start();
        looker.start();
        duty = Duty.start(keyspace, "alarms", figures, turn -> sweep());
        if (!keyspace.redis().cluster()) {
            others =
                    keyspace.foreignWrites(
                            List.of(
                                    AlarmsLayouts.RULES.pattern(),
                                    AlarmsLayouts.ALARMS.pattern(),
                                    AlarmsLayouts.WATCHES,
                                    AlarmsLayouts.GENERATION.pattern()),
                            this::noticed);
        }
    }

    public Evaluation evaluation() {
        return evaluation;
    }

    public AlarmChanges changes() {
        return changes;
    }

    public RuleChanges rules() {
        return rules;
    }

    public AlarmReads reads() {
        return reads;
    }

    public Mending mending() {
        return mending;
    }

    /** The first look sees everything; what comes after it is noticed, or seen by the next. */
    private Duration sweep() {
        long now = clock.millis();
        long count = lists.countRules();
        if (count != counted || now - sweptAt >= BETWEEN_SWEEPS.toMillis()) {
            mending.sweep();
            counted = count;
            sweptAt = now;
        }
        if (now - summedAt >= BETWEEN_SUMS.toMillis()) {
            mending.sum();
            summedAt = now;
        }
        return COUNTING;
    }

    /** One hub of the site does it; the others learn of it by the generation. */
    private void noticed(ForeignWrites.Noticed noticed) {
        KeyPattern generation = AlarmsLayouts.GENERATION.pattern();
        if (noticed.everythingOf(generation)) {
            touched.addAll(lists.homes());
        }
        noticed.keysOf(generation).forEach(key -> touched.add(AlarmsLayouts.homeOf(key)));
        if (!touched.isEmpty()) {
            bell.ringIn(SOON);
        }
        Duty running = duty;
        if (running != null && running.held()) {
            mending.noticed(noticed);
        }
    }

    /** Every hub keeps its copy up to date; what it compares with is checked by each commit. */
    private void look() {
        boolean failing = false;
        Duration pause = keyspace.redis().cluster() ? SOON : SELDOM;
        try {
            while (closed.getCount() > 0) {
                bell.await(Beat.within(pause));
                try {
                    Set<String> some = Set.copyOf(touched);
                    touched.removeAll(some);
                    if (some.isEmpty()) {
                        lists.refresh();
                    } else {
                        lists.refresh(some);
                    }
                    failing = false;
                } catch (RedisException e) {
                    if (!failing) {
                        log.warn("Alarm rules cannot be read again. reason={}", e.getMessage());
                    }
                    failing = true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        bell.ring();
        ForeignWrites listening = others;
        if (listening != null) {
            listening.close();
        }
        Duty running = duty;
        if (running != null) {
            running.close();
        }
        timers.close();
        late.close();
    }
}
