package dev.millrace.hub.mqtt;

import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the broker what a feed says: every fact becomes one message, in the order of the writes.
 * One hub of a site does it, whichever has the duty; its place in the feed lies in Redis and moves
 * when the broker has acknowledged. So while the broker is away messages wait, after a crash some
 * come twice and none is missing, and whoever wrote the fact never waits for any of it.
 *
 * <p>They do not wait for ever: when facts had to be dropped, the room says what takes their place.
 *
 * <p>And nothing is told to nobody: while no {@link Audience} is there, only the place in the feed
 * moves. What was written before a subscription is acknowledged may thus be passed over; what is
 * written afterwards is not, because the end of the feed is read first, and who listens is asked
 * then. With several hubs, each with a broker of its own, those at the broker of the hub that has
 * the duty count: what is told is told there, and nobody else could hear it.
 */
public final class FeedSender implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FeedSender.class);

    /** What is new wakes it; this is for what nobody heard of, should that ever be. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final Duration BROKER_AWAY = Duration.ofSeconds(1);

    /** A feed must not grow for want of listeners; that somebody comes is noticed at once. */
    private static final Duration NOBODY_THERE = Duration.ofSeconds(1);

    /** Nor has it grown: what is written within this time is well within its bounds. */
    private static final Duration NOTHING_SAID = Duration.ofSeconds(5);

    private final FeedReader reader;
    private final Names names;
    private final int atOnce;
    private final Words words;
    private final Audience audience;
    private final Sender sender;
    private final Duty duty;

    /**
     * Under which it is known.
     *
     * @param reader in the feed
     * @param client at the broker
     * @param duty among the hubs of the site
     */
    public record Names(String reader, String client, String duty) {}

    /** What a room has to say. All of it is called by one thread. */
    public interface Words {
        /** All topics of its messages, as a filter. */
        String topics();

        /**
         * The message of a fact.
         *
         * @throws IllegalArgumentException with a reason, if it can be none; the others go on
         */
        Outgoing message(Fact fact);

        /** Facts were dropped before they were told; this is told in their place. */
        void afterGap(FeedReader.Unread unread, FeedReader.Gap gap, Told told);
    }

    /** Where a room says something that no fact says. */
    @FunctionalInterface
    public interface Told {
        /**
         * Waits until the broker has acknowledged.
         *
         * @throws MqttException if it is away
         */
        void tell(List<Outgoing> messages);
    }

    private FeedSender(
            Keyspace keyspace,
            Topic topic,
            Names names,
            int atOnce,
            Mqtt mqtt,
            MeterRegistry figures,
            Audience audience,
            Words words) {
        // At once, so that nothing is missed that is written before some hub has the duty.
        this.reader = keyspace.feed(topic).reader(names.reader, Topic.Behind.GAP, false);
        this.names = names;
        this.atOnce = atOnce;
        this.words = words;
        this.audience = audience;
        this.sender = mqtt.sender(names.client);
        this.duty = Duty.start(keyspace, names.duty, figures, this::step);
        audience.whenItComes(duty::wake);
    }

    /**
     * Begins to send.
     *
     * @param atOnce how many facts are in memory at a time, of each shard
     * @throws MqttException if MQTT is off
     */
    public static FeedSender start(
            Keyspace keyspace,
            Topic topic,
            Names names,
            int atOnce,
            Mqtt mqtt,
            MeterRegistry figures,
            Words words) {
        Audience audience = mqtt.audience(words.topics());
        return start(keyspace, topic, names, atOnce, mqtt, figures, audience, words);
    }

    /** The same, for those whom a test lets listen. */
    static FeedSender start(
            Keyspace keyspace,
            Topic topic,
            Names names,
            int atOnce,
            Mqtt mqtt,
            MeterRegistry figures,
            Audience audience,
            Words words) {
        return new FeedSender(keyspace, topic, names, atOnce, mqtt, figures, audience, words);
    }

    /** There is no MQTT (any more): the feed does not wait for one who does not come. */
    public static void forget(Keyspace keyspace, Topic topic, Names names) {
        try {
            keyspace.feed(topic).forget(names.reader);
        } catch (RedisException e) {
            log.warn(
                    "A feed may still wait for MQTT, which is off. feed={} reason={}",
                    topic.name(),
                    e.getMessage());
        }
    }

    private Duration step(Duty.Turn turn) {
        if (!audience.isThere()) {
            List<FeedReader.Unread> behind = reader.ends();
            if (!audience.isThere()) {
                passOver(behind, turn);
                return behind.isEmpty() ? NOTHING_SAID : NOBODY_THERE;
            }
        }
        try {
            for (FeedReader.Unread unread : reader.next(atOnce, WAIT)) {
                if (!turn.mine()) {
                    break;
                }
                closeGap(unread, turn);
                tell(unread, turn);
            }
            return Duration.ZERO;
        } catch (MqttException e) {
            // The broker's own line has said it already.
            return BROKER_AWAY;
        }
    }

    /** Takes all for told: nobody listened when it was known already how much that is. */
    private void passOver(List<FeedReader.Unread> behind, Duty.Turn turn) {
        for (FeedReader.Unread unread : behind) {
            Commit commit = reader.commit(unread).with(unread.readToEnd());
            unread.gap().ifPresent(gap -> commit.with(unread.closed(gap)));
            finished(commit.with(turn.lease().guard()).run());
        }
    }

    private void closeGap(FeedReader.Unread unread, Duty.Turn turn) {
        if (unread.gap().isPresent()) {
            FeedReader.Gap gap = unread.gap().get();
            words.afterGap(unread, gap, this::send);
            finished(
                    reader.commit(unread)
                            .with(unread.closed(gap))
                            .with(turn.lease().guard())
                            .run());
        }
    }

    private void tell(FeedReader.Unread unread, Duty.Turn turn) {
        if (unread.facts().isEmpty()) {
            return;
        }
        List<Outgoing> messages = new ArrayList<>(unread.facts().size());
        for (Fact fact : unread.facts()) {
            try {
                messages.add(words.message(fact));
            } catch (IllegalArgumentException e) {
                log.warn(
                        "Skipped a fact that MQTT cannot carry. feed={} reason={}",
                        names.reader,
                        e.getMessage());
            }
        }
        send(messages);
        finished(
                reader.commit(unread)
                        .with(unread.readTo(unread.facts().getLast()))
                        .with(turn.lease().guard())
                        .run());
    }

    private void send(List<Outgoing> messages) {
        try {
            sender.send(messages);
        } catch (MqttException e) {
            if (e.refused().isEmpty()) {
                throw e;
            }
            // Sending them again would hold up all others for ever.
            log.warn(
                    "The broker will never take some messages. client={} reason={}",
                    names.client,
                    e.getMessage());
        }
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
        sender.close();
    }
}
