package dev.millrace.hub.telemetry;

import dev.millrace.hub.mqtt.Incoming;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.Receiver;
import dev.millrace.hub.telemetry.kept.NewValues;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.ValuesReader;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Values that come by MQTT on {@code millrace/telemetry/{channel}/{type}}, as they would be posted.
 * One hub of a site listens; a message is acknowledged to the broker when it is stored. What waits
 * is stored together, in one round trip. While Redis is away it waits. What can never be stored is
 * acknowledged all the same, counted, and logged with its reason: it must not keep back the others.
 */
final class MqttIngest implements AutoCloseable {
    static final String TOPIC = "millrace/telemetry/";
    private static final String FILTER = TOPIC + "+/+";
    private static final int MOST = 256;
    private static final Duration LONG = Duration.ofHours(1);
    private static final long BETWEEN_LINES_MILLIS = 10_000;
    private static final Logger log = LoggerFactory.getLogger(MqttIngest.class);

    private final Values values;
    private final InstantSource clock;
    private final MeterRegistry figures;
    private final Counter stored;
    private final Duty duty;
    private final Receiver receiver;
    private long lastLine;
    private long unlogged;

    MqttIngest(
            Keyspace keyspace,
            Mqtt mqtt,
            Values values,
            MeterRegistry figures,
            InstantSource clock) {
        this.values = values;
        this.clock = clock;
        this.figures = figures;
        stored =
                Counter.builder("millrace.telemetry.mqtt.stored")
                        .description("Messages with values that came by MQTT and were stored.")
                        .register(figures);
        // The work is done by the receiver; the duty says which hub has one.
        duty = Duty.start(keyspace, "telemetry-mqtt", figures, turn -> LONG);
        receiver = mqtt.receiveMany("telemetry", FILTER, MOST, this::take, duty::held);
    }

    private record Sent(Incoming message, CompletableFuture<WriteResult> result) {}

    private void take(List<Incoming> messages) {
        List<Sent> sent = new ArrayList<>();
        for (Incoming message : messages) {
            send(message).ifPresent(result -> sent.add(new Sent(message, result)));
        }
        Optional<String> passing = Optional.empty();
        for (Sent each : sent) {
            switch (each.result.join()) {
                case WriteResult.Done done -> stored.increment();
                // It is stored; a sender that is asked again would store it once more.
                case WriteResult.Failed(Outcome.Unconfirmed<Long> why) -> stored.increment();
                case WriteResult.Failed(Outcome<Long> why) when passes(why) ->
                        passing = Optional.of(String.valueOf(why));
                case WriteResult.Failed(Outcome<Long> why) ->
                        refuse(each.message, String.valueOf(why));
            }
        }
        if (passing.isPresent()) {
            // All of them come again: to store a value twice changes nothing.
            throw new IllegalStateException(passing.get());
        }
    }

    private static boolean passes(Outcome<Long> outcome) {
        return !(outcome instanceof Outcome.NotDone<Long>(Reason reason, String why))
                || switch (reason) {
                    case REFUSED, TOO_LARGE, WRONG_TYPE -> false;
                    case CONFLICT, DUPLICATE, ABSENT -> true;
                    case FULL, READ_ONLY, DENIED, UNAVAILABLE, ERROR -> true;
                };
    }

    /** Empty if it can never be stored. */
    private Optional<CompletableFuture<WriteResult>> send(Incoming message) {
        String[] place = message.topic().substring(TOPIC.length()).split("/", -1);
        int channel = PointIds.channel(place[0]);
        Optional<PointType> type = PointType.of(place[1]).filter(PointType::isRead);
        if (channel == 0 || type.isEmpty()) {
            refuse(message, "the topic does not name a channel and T or S");
            return Optional.empty();
        }
        return switch (ValuesReader.values(message.payload(), type.get())) {
            case ValuesReader.Read.Done<NewValues>(NewValues sent) -> {
                sent.rejected().forEach(each -> count("rejected"));
                if (sent.count() == 0) {
                    refuse(message, "none of its points can be stored");
                    yield Optional.empty();
                }
                yield Optional.of(values.write(channel, type.get(), sent));
            }
            case ValuesReader.Read.NotJson<NewValues>(String why) -> refuse(message, why);
            case ValuesReader.Read.Invalid<NewValues>(String why) -> refuse(message, why);
            case ValuesReader.Read.TooMany<NewValues>(String why) -> refuse(message, why);
        };
    }

    private void count(String reason) {
        Counter.builder("millrace.telemetry.mqtt.refused")
                .description("Messages and points on millrace/telemetry that cannot be stored.")
                .tag("reason", reason)
                .register(figures)
                .increment();
    }

    /** One thread calls this, so nothing here is locked. */
    private Optional<CompletableFuture<WriteResult>> refuse(Incoming message, String why) {
        count("message");
        long now = clock.millis();
        if (now - lastLine < BETWEEN_LINES_MILLIS) {
            unlogged++;
            return Optional.empty();
        }
        log.warn(
                "A message can never be stored and was thrown away. topic={} bytes={} reason={}"
                        + " others={}",
                message.topic(),
                message.payload().length,
                why,
                unlogged);
        lastLine = now;
        unlogged = 0;
        return Optional.empty();
    }

    @Override
    public void close() {
        receiver.close();
        duty.close();
    }
}
