package dev.millrace.hub.rules.running;

import dev.millrace.hub.history.recording.Recordable;
import dev.millrace.hub.rules.kept.RuleBook;
import dev.millrace.hub.rules.kept.RuleDocument;
import dev.millrace.hub.rules.kept.RunLog;
import dev.millrace.hub.rules.logic.Memory;
import dev.millrace.hub.rules.logic.Rule;
import dev.millrace.hub.rules.logic.RuleFault;
import dev.millrace.hub.rules.logic.Sight;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.why.Origin;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One hub of the site runs rules, under a lease. It reads the feeds of values and alarms from where
 * they were read last: what was written while no hub was there is looked at afterwards, and what is
 * looked at twice after a crash is done once. Thread-safe.
 */
public final class Running implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Running.class);
    private static final int AT_ONCE = 512;

    /** Who writes values faster than they are read does not hold up alarms for ever. */
    private static final int MOST_STEPS_BEHIND = 64;

    /** How soon a rule that was changed is run as it is now, at the latest. */
    private static final Duration LOOK = Duration.ofMillis(250);

    private static final Duration NOTHING_TO_DO = Duration.ofSeconds(10);
    private static final Duration ALL_ANEW = Duration.ofSeconds(60);

    /**
     * Looks that came to nothing are counted so seldom: writing it costs Redis about as much as
     * looking costs the hub. A hub that is killed has not counted those of the last second.
     */
    private static final Duration COUNTED_EVERY = Duration.ofSeconds(1);

    /** Whoever makes a rule may be about to do so, and has looked that values wait for it. */
    private static final Duration UNTIL_AT_REST = Duration.ofSeconds(60);

    private static final Duration TOO_LONG = Duration.ofSeconds(10);

    /**
     * A value that is being written at a moment is to be there before rules look at that moment.
     */
    private static final long SETTLED_MILLIS = 25;

    private final RuleBook book;
    private final Acting acting;
    private final Runner runner;
    private final Present manual;
    private final News news;
    private final Feeds feeds;
    private final Feed changes;
    private final InstantSource clock;
    private final ZoneId zone;
    private final Duty duty;
    private final AtomicBoolean foreign = new AtomicBoolean();
    private final AtomicInteger size = new AtomicInteger();

    // Of the duty alone.
    private @Nullable FeedCursor cursor;
    private long lastStep = System.nanoTime();
    private long lastLoad;
    private long lastBusy = System.nanoTime();
    private long lastCount = System.nanoTime() - COUNTED_EVERY.toNanos();

    /**
     * Begins to run rules.
     *
     * @param models the feed of what models measure
     * @param alarms the feed of what happens to alarms
     */
    public Running(
            Keyspace keyspace,
            RuleBook book,
            RunLog runs,
            Site site,
            Ways ways,
            Recordable models,
            Topic alarms,
            InstantSource clock,
            MeterRegistry figures) {
        this.book = book;
        this.feeds = new Feeds(keyspace, ways.points().changes(), models.topic(), alarms);
        this.changes = keyspace.feed(RuleBook.TOPIC);
        this.clock = clock;
        this.zone = ZoneId.systemDefault();
        this.acting = new Acting(keyspace, runs, site, ways);
        this.runner =
                new Runner(
                        new Deeds.OfSite(book, runs, acting),
                        Present.of(ways.points()),
                        clock,
                        zone,
                        feeds::ends);
        this.news = new News(runner, models);
        this.manual = Present.of(ways.points());
        figures.gauge("millrace.rules.running", size);
        this.duty = Duty.start(keyspace, Feeds.READER, figures, this::step);
    }

    /** Others have written rules. */
    public void noticed() {
        foreign.set(true);
        duty.wake();
    }

    /**
     * A rule is about to be stored: what is written after it must not be missed, even if it is the
     * first one.
     */
    public void expectRule() {
        feeds.expectSome();
    }

    public boolean runsHere() {
        return duty.held();
    }

    public int size() {
        return size.get();
    }

    // ------------------------------------------------------------------ the loop

    private Duration step(Duty.Turn turn) {
        try {
            return look(turn);
        } catch (RuntimeException e) {
            // What was heard and not done is heard again, and is news again.
            cursor = null;
            throw e;
        }
    }

    private Duration look(Duty.Turn turn) {
        long now = System.nanoTime();
        FeedCursor from = cursor;
        if (from == null || now - lastStep > TOO_LONG.toNanos()) {
            // Another hub may have run rules in the meantime.
            from = changes.now();
            runner.forget();
            loadAll();
        } else if (now - lastLoad > ALL_ANEW.toNanos() || foreign.getAndSet(false)) {
            loadAll();
        }
        cursor = from;
        hearChanges();
        acting.finishOthers();
        size.set(runner.size());
        if (runner.isIdle()) {
            count();
            if (System.nanoTime() - lastBusy > UNTIL_AT_REST.toNanos()) {
                feeds.rest();
            }
            lastStep = System.nanoTime();
            waitForChange();
            lastStep = System.nanoTime();
            return Duration.ZERO;
        }
        lastBusy = System.nanoTime();
        // Whatever was written before this is read now: if there is nothing, rules may look by
        // themselves at the moments up to here. If there is something, it says how late it is.
        long settled = clock.millis() - SETTLED_MILLIS;
        long until = runner.nextMoment() - settled;
        Duration wait = Duration.ofMillis(Math.clamp(until, 0, LOOK.toMillis()));
        boolean heard = read(feeds.values(), wait, turn, news::value);
        heard |= read(feeds.measurements(), Duration.ZERO, turn, news::measurement);
        heard |= readAlarms(turn);
        if (turn.mine()) {
            if (!heard) {
                runner.until(settled);
            }
            runner.remember();
            count();
        }
        lastStep = System.nanoTime();
        return Duration.ZERO;
    }

    private void count() {
        long now = System.nanoTime();
        if (runner.hasCounted() && now - lastCount >= COUNTED_EVERY.toNanos()) {
            lastCount = now;
            // Of a rule that is deleted nothing is counted after its counters have gone.
            hearChanges();
            runner.count();
        }
    }

    /** Facts are waited for before the present values are asked for: so no change is missed. */
    private void loadAll() {
        feeds.expect();
        runner.loadAll();
        lastLoad = System.nanoTime();
    }

    private void hearChanges() {
        FeedCursor from = cursor;
        if (from == null) {
            return;
        }
        switch (changes.since(from, AT_ONCE)) {
            case Changes.Facts found -> {
                for (Fact each : found.facts()) {
                    heardChange(each);
                }
                cursor = found.next();
            }
            case Changes.Reload(String why) -> {
                log.info("All rules are read anew. reason={}", why);
                cursor = changes.now();
                loadAll();
            }
        }
    }

    private void heardChange(Fact fact) {
        JsonNode change = News.json(fact);
        String id = change.path("rule_id").asString("");
        if (change.path("type").asString("").equals("ran")) {
            runner.remember(id);
        } else if (Rule.isId(id)) {
            feeds.expect();
            runner.load(id, fact.time());
        }
    }

    /** Nobody looks at what comes meanwhile. */
    private void waitForChange() {
        FeedCursor from = cursor;
        if (from != null && !foreign.get()) {
            Changes found = changes.since(from, 1, NOTHING_TO_DO.dividedBy(10));
            log.trace("Waited for rules. found={}", found);
        }
    }

    /**
     * The value that raised an alarm was written with it: whoever is woken by the alarm sees it.
     */
    private boolean readAlarms(Duty.Turn turn) {
        List<FeedReader.Unread> alarms = feeds.alarms().next(AT_ONCE, Duration.ZERO);
        for (int step = 0; !alarms.isEmpty() && step < MOST_STEPS_BEHIND; step++) {
            boolean more = read(feeds.values(), Duration.ZERO, turn, news::value);
            more |= read(feeds.measurements(), Duration.ZERO, turn, news::measurement);
            if (!more) {
                break;
            }
        }
        return take(feeds.alarms(), alarms, turn, news::alarm);
    }

    /** Says whether there was something. */
    private boolean read(FeedReader reader, Duration wait, Duty.Turn turn, Consumer<Fact> work) {
        return take(reader, reader.next(AT_ONCE, wait), turn, work);
    }

    private boolean take(
            FeedReader reader, List<FeedReader.Unread> all, Duty.Turn turn, Consumer<Fact> work) {
        boolean any = false;
        if (!all.isEmpty()) {
            // A rule that was there before a value was written looks at that value.
            hearChanges();
        }
        for (FeedReader.Unread unread : all) {
            if (!turn.mine()) {
                return true;
            }
            Optional<FeedReader.Gap> gap = unread.gap();
            if (gap.isPresent()) {
                log.warn(
                        "Values were dropped before rules could look at them. reader={} from={}"
                                + " to={}",
                        reader.name(),
                        gap.get().from(),
                        gap.get().to());
                runner.forget();
                loadAll();
                finished(
                        reader.commit(unread)
                                .with(unread.closed(gap.get()))
                                .with(turn.lease().guard())
                                .run());
                continue;
            }
            if (unread.facts().isEmpty()) {
                continue;
            }
            any = true;
            unread.facts().forEach(work);
            runner.remember();
            count();
            finished(
                    reader.commit(unread)
                            .with(unread.readTo(unread.facts().getLast()))
                            .with(turn.lease().guard())
                            .run());
        }
        return any;
    }

    /** CONFLICT: another hub has taken over, and goes on from where the cursor is. */
    private static void finished(Outcome<Long> outcome) {
        if (!outcome.failedBy(Reason.CONFLICT)) {
            outcome.orThrow();
        }
    }

    // ------------------------------------------------------------------ by hand

    /** What came of a run by hand. */
    public sealed interface ByHand {
        record Ran(ObjectNode record) implements ByHand {}

        record Resting() implements ByHand {}

        record NotARule(RuleFault why) implements ByHand {}
    }

    /**
     * Runs a stored rule now.
     *
     * @param given values by name
     * @param force also while it rests
     * @param by who wants it
     */
    public ByHand run(RuleDocument document, Map<String, Object> given, boolean force, String by) {
        Rule rule;
        try {
            rule = Rule.read(document.id(), document.document());
        } catch (RuleFault e) {
            return new ByHand.NotARule(e);
        }
        LiveRule live = new LiveRule(rule, document, book.memory(document.id()), 0);
        long now = clock.millis();
        if (!force && live.rests(now)) {
            return new ByHand.Resting();
        }
        Sight sight = new Sight(fresh(), now, zone, live.memory, given);
        Rule.Verdict verdict = rule.look(sight);
        Execution execution = new Execution(rule, verdict, sight, manually(by));
        if (verdict.met()) {
            live.memory.acted(now);
        }
        return new ByHand.Ran(acting.act(execution, live.memory, true));
    }

    /** What a rule would do now; nothing is stored, and nothing done. */
    public ByHand test(String id, ObjectNode document, Map<String, Object> given) {
        try {
            Rule rule = Rule.read(id, document);
            Memory memory = book.memory(id).copy();
            Sight sight = new Sight(fresh(), clock.millis(), zone, memory, given);
            Rule.Verdict verdict = rule.look(sight);
            Execution execution = new Execution(rule, verdict, sight, manually(""));
            for (var each : verdict.planned()) {
                execution.came(each, new Ways.Result("would", "", ""));
            }
            return new ByHand.Ran(execution.record(0));
        } catch (RuleFault e) {
            return new ByHand.NotARule(e);
        }
    }

    private Present fresh() {
        return manual.anew();
    }

    private static Cause manually(String by) {
        String id = "m-" + UUID.randomUUID();
        Map<String, String> who = by.isEmpty() ? Map.of() : Map.of("by", by);
        return new Cause(id, "manual", 0, new Origin(id, ""), who);
    }

    @Override
    public void close() {
        feeds.waitNoMore();
        duty.close();
        try {
            if (runner.hasCounted()) {
                runner.countOnly(
                        book.all().stream()
                                .map(each -> each.rule().id())
                                .collect(Collectors.toSet()));
                runner.count();
            }
        } catch (RedisException e) {
            log.warn("Looks of rules could not be counted. reason={}", e.getMessage());
        }
    }
}
