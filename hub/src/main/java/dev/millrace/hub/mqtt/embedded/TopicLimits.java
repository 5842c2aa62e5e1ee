package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.work.Seldom;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many topics the embedded broker knows, and how many messages it keeps for those who come
 * later. Each takes memory, and a retained one a place on disk for ever; a client with a clock in
 * its topics would fill both. What guests send beyond the limits is refused; the hub itself is let
 * pass, for its topics are those of its devices and namespaces, and what it has to tell must not
 * wait for guests to tidy up.
 *
 * <p>{@link Housekeeping} counts every second; in between only what is added is counted, so what
 * went away gives room a second later. Thread-safe.
 */
final class TopicLimits {
    private static final Logger log = LoggerFactory.getLogger(TopicLimits.class);

    private final int maxTopics;
    private final int maxRetained;
    private final AtomicInteger topics = new AtomicInteger();
    private final AtomicInteger retained = new AtomicInteger();
    private final Seldom lines = new Seldom();
    private final Counter refused;

    TopicLimits(EmbeddedSettings settings, MeterRegistry figures) {
        this.maxTopics = settings.maxTopics();
        this.maxRetained = settings.maxRetained();
        Gauge.builder("millrace.mqtt.embedded.topics", topics, AtomicInteger::get)
                .description("Topics and filters that the embedded broker knows.")
                .register(figures);
        Gauge.builder("millrace.mqtt.embedded.retained", retained, AtomicInteger::get)
                .description("Topics with a retained message in the embedded broker.")
                .register(figures);
        this.refused =
                Counter.builder("millrace.mqtt.embedded.refused")
                        .description(
                                "Topics and retained messages that the embedded broker has refused,"
                                        + " because it has as many as it may.")
                        .register(figures);
    }

    /** What there really is. */
    void counted(int topicsNow, int retainedNow) {
        topics.set(topicsNow);
        retained.set(retainedNow);
    }

    /** Whether there is room for a new topic; if so it is taken. */
    boolean takeTopic(String topic) {
        return take(topics, maxTopics, topic, "A new topic", "mqtt.embedded.max-topics");
    }

    /** Whether there is room for a retained message on a topic that has none; if so it is taken. */
    boolean takeRetained(String topic) {
        return take(
                retained,
                maxRetained,
                topic,
                "A retained message on another topic",
                "mqtt.embedded.max-retained");
    }

    private boolean take(AtomicInteger count, int most, String topic, String what, String key) {
        if (count.getAndUpdate(now -> now < most ? now + 1 : now) < most) {
            return true;
        }
        refused.increment();
        lines.say(
                others ->
                        log.warn(
                                "{} was refused: the embedded MQTT broker has as many as it may."
                                        + " Use fewer, or raise {}. topic={} limit={} others={}",
                                what,
                                key,
                                topic,
                                most,
                                others));
        return false;
    }
}
