package dev.millrace.hub.alarms.telling;

import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Reads the facts of a feed one after another, by one hub of the site, from where it was. Each is
 * done before it counts as read: after a crash some come twice, and none is missing.
 */
final class FactReader implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FactReader.class);

    /** What is new wakes it; this is for what nobody heard of, should that ever be. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final int AT_ONCE = 100;

    private final String name;
    private final FeedReader reader;
    private final Consumer<Fact> work;
    private final Runnable afterGap;
    private final Duty duty;

    private FactReader(
            Keyspace keyspace,
            Topic topic,
            String name,
            MeterRegistry figures,
            Consumer<Fact> work,
            Runnable afterGap) {
        this.name = name;
        this.reader = keyspace.feed(topic).reader(name, Topic.Behind.GAP, false);
        this.work = work;
        this.afterGap = afterGap;
        this.duty = Duty.start(keyspace, name, figures, this::step);
    }

    /**
     * Begins to read.
     *
     * @param name of the reader and of the duty
     * @param work done for each fact; whatever it throws but for a Redis that is away is logged
     * @param afterGap done in place of facts that were dropped before they were read
     */
    static FactReader start(
            Keyspace keyspace,
            Topic topic,
            String name,
            MeterRegistry figures,
            Consumer<Fact> work,
            Runnable afterGap) {
        return new FactReader(keyspace, topic, name, figures, work, afterGap);
    }

    private Duration step(Duty.Turn turn) {
        for (FeedReader.Unread unread : reader.next(AT_ONCE, WAIT)) {
            if (!turn.mine()) {
                break;
            }
            unread.gap().ifPresent(gap -> closeGap(unread, gap, turn));
            if (!unread.facts().isEmpty()) {
                unread.facts().forEach(this::tell);
                finished(
                        reader.commit(unread)
                                .with(unread.readTo(unread.facts().getLast()))
                                .with(turn.lease().guard())
                                .run());
            }
        }
        return Duration.ZERO;
    }

    private void tell(Fact fact) {
        try {
            work.accept(fact);
        } catch (IllegalArgumentException e) {
            log.warn("Skipped what cannot be told. reader={} reason={}", name, e.getMessage());
        }
    }

    private void closeGap(FeedReader.Unread unread, FeedReader.Gap gap, Duty.Turn turn) {
        log.warn(
                "Facts were dropped before they were read; the present state is told instead."
                        + " reader={} from={} to={}",
                name,
                gap.from(),
                gap.to());
        afterGap.run();
        finished(reader.commit(unread).with(unread.closed(gap)).with(turn.lease().guard()).run());
    }

    /** CONFLICT: another hub has taken over, and goes on from where the cursor is. */
    private static void finished(Outcome<Long> outcome) {
        if (!outcome.failedBy(Reason.CONFLICT)) {
            outcome.orThrow();
        }
    }

    @Override
    public void close() {
        reader.waitNoMore();
        duty.close();
    }
}
