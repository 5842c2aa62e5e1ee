package dev.millrace.hub.history.timeseries;

import dev.millrace.hub.history.kept.SampleWriter;
import dev.millrace.hub.history.kept.SampleWriter.Brought;
import dev.millrace.hub.history.recording.Rules;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Utf8;
import dev.millrace.hub.mqtt.Incoming;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.Receiver;
import dev.millrace.hub.work.Duty;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What services of Brewblox send to {@code brewcast/history/#}: objects with a key and data, of
 * which every number becomes a sample of the time at which it came. One hub of a site listens; a
 * message is acknowledged to the broker when it is stored. What is no such object is counted and
 * thrown away, for it must not keep back the others.
 */
public final class HistoryIngest implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HistoryIngest.class);
    private static final String FILTER = "brewcast/history/#";
    private static final int MOST = 100;
    private static final Duration LONG = Duration.ofHours(1);

    private final SampleWriter writer;
    private final Supplier<Rules> rules;
    private final InstantSource clock;
    private final Counter stored;
    private final Counter refused;
    private final Seldom seldom = new Seldom();
    private final Duty duty;
    private final Receiver receiver;

    private HistoryIngest(
            Keyspace keyspace,
            Mqtt mqtt,
            SampleWriter writer,
            Supplier<Rules> rules,
            MeterRegistry figures,
            InstantSource clock) {
        this.writer = writer;
        this.rules = rules;
        this.clock = clock;
        this.stored =
                Counter.builder("millrace.history.mqtt.stored")
                        .description("Numbers on brewcast/history that became samples.")
                        .register(figures);
        this.refused =
                Counter.builder("millrace.history.mqtt.refused")
                        .description("Messages on brewcast/history that cannot be stored.")
                        .register(figures);
        this.duty = Duty.start(keyspace, "history-mqtt", figures, turn -> LONG);
        this.receiver = mqtt.receiveMany("history", FILTER, MOST, this::take, duty::held);
    }

    /** Begins to listen. */
    public static HistoryIngest start(
            Keyspace keyspace,
            Mqtt mqtt,
            SampleWriter writer,
            Supplier<Rules> rules,
            MeterRegistry figures,
            InstantSource clock) {
        return new HistoryIngest(keyspace, mqtt, writer, rules, figures, clock);
    }

    private void take(List<Incoming> messages) {
        long now = clock.millis();
        List<Brought> samples = new ArrayList<>();
        for (Incoming message : messages) {
            add(message, now, samples);
        }
        Rules present = rules.get();
        // A Redis that is away throws, and the broker sends all of them again.
        try {
            stored.increment((double) writer.write(samples, present, present::wants));
        } catch (RedisException e) {
            if (e.reason() != Reason.WRONG_TYPE) {
                throw e;
            }
            eachAlone(samples, present);
        }
    }

    /** Somebody has put something else in the place of a key: the others are stored. */
    private void eachAlone(List<Brought> samples, Rules present) {
        Map<Thing, List<Brought>> byThing = new LinkedHashMap<>();
        samples.forEach(
                each ->
                        byThing.computeIfAbsent(each.series().thing(), thing -> new ArrayList<>())
                                .add(each));
        byThing.forEach(
                (thing, some) -> {
                    try {
                        stored.increment((double) writer.write(some, present, present::wants));
                    } catch (RedisException e) {
                        if (e.reason() != Reason.WRONG_TYPE) {
                            throw e;
                        }
                        refused.increment();
                        seldom.say(
                                others ->
                                        log.warn(
                                                "Numbers of a service cannot be recorded and were"
                                                        + " left out. service={} reason={}"
                                                        + " others={}",
                                                thing.id(),
                                                e.getMessage(),
                                                others));
                    }
                });
    }

    private void add(Incoming message, long now, List<Brought> samples) {
        Optional<JsonNode> event = event(message.payload());
        String key = event.map(each -> each.path("key").asString("")).orElse("");
        if (key.isEmpty()) {
            refuse(message, "it is not an object with a key and data");
            return;
        }
        Leaves.of(event.orElseThrow().path("data"))
                .forEach(
                        (path, text) -> {
                            Optional<SeriesName> series = Metric.series(key + "/" + path);
                            if (series.isPresent()) {
                                samples.add(new Brought(series.get(), Sample.of(now, text)));
                            } else {
                                refuse(message, "a name in it is too long: " + path);
                            }
                        });
    }

    private static Optional<JsonNode> event(byte[] payload) {
        if (!Utf8.isText(payload)) {
            return Optional.empty();
        }
        try {
            JsonNode event = Json.MAPPER.readTree(payload);
            boolean fits = event.path("key").isString() && event.path("data").isObject();
            return fits ? Optional.of(event) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private void refuse(Incoming message, String why) {
        refused.increment();
        seldom.say(
                others ->
                        log.warn(
                                "A message has nothing that can be recorded. topic={} bytes={}"
                                        + " reason={} others={}",
                                message.topic(),
                                message.payload().length,
                                why,
                                others));
    }

    @Override
    public void close() {
        receiver.close();
        duty.close();
    }
}
