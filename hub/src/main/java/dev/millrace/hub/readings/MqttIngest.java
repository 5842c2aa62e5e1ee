package dev.millrace.hub.readings;

import dev.millrace.hub.readings.arriving.Bodies;
import dev.millrace.hub.readings.arriving.NewEvent;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.mqtt.Incoming;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.Receiver;
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
import java.util.Optional;

/**
 * Events that come by MQTT on {@code edgex/events/#}, as JSON or CBOR, as they would be posted. One
 * hub of a site listens; an event is acknowledged to the broker when it is stored. While Redis is
 * away it waits, and those behind it wait too. What can never be stored is acknowledged all the
 * same, counted, and logged with its reason: it must not keep back the others. An event that comes
 * again, because an acknowledgement was lost, is stored once if it carries an id.
 */
final class MqttIngest implements AutoCloseable {
    static final String FILTER = "edgex/events/#";

    private static final Logger log = LoggerFactory.getLogger(MqttIngest.class);
    private static final Duration LONG = Duration.ofHours(1);
    private static final long BETWEEN_LINES_MILLIS = 10_000;
    private static final int SERVER_ERROR = 500;

    private final EventsService events;
    private final Checks checks;
    private final ReadingsSettings settings;
    private final InstantSource clock;
    private final Counter stored;
    private final Counter refused;
    private final Duty duty;
    private final Receiver receiver;
    private long lastLine;
    private long unlogged;

    MqttIngest(
            Keyspace keyspace,
            Mqtt mqtt,
            EventsService events,
            Checks checks,
            ReadingsSettings settings,
            MeterRegistry figures,
            InstantSource clock) {
        this.events = events;
        this.checks = checks;
        this.settings = settings;
        this.clock = clock;
        stored =
                Counter.builder("millrace.readings.mqtt.stored")
                        .description("Events that came by MQTT and were stored.")
                        .register(figures);
        refused =
                Counter.builder("millrace.readings.mqtt.refused")
                        .description("Messages on edgex/events/# that can never be stored.")
                        .register(figures);
        // The work is done by the receiver; the duty says which hub has one.
        duty = Duty.start(keyspace, "readings-mqtt", figures, turn -> LONG);
        receiver = mqtt.receive("readings", FILTER, this::take, duty::held);
    }

    private void take(Incoming message) {
        try {
            NewEvent sent = read(message.payload());
            Optional<Answer> refusal = checks.refusal(sent);
            if (refusal.isPresent()) {
                if (refusal.get().status() >= SERVER_ERROR) {
                    throw new IllegalStateException("the metadata service cannot be asked");
                }
                refuse(message, "its device or its values are not what they should be");
            } else {
                settle(message, events.add(sent).join(), sent);
            }
        } catch (Problem e) {
            refuse(message, e.detail());
        }
    }

    private NewEvent read(byte[] body) {
        return isJson(body)
                ? Bodies.event(body)
                : Bodies.cborEvent(body).withChecksum(settings.checksum().of(body));
    }

    /** An object in CBOR begins with a byte that no JSON begins with. */
    private static boolean isJson(byte[] body) {
        return body.length == 0 || body[0] >= 0;
    }

    private void settle(Incoming message, Outcome<String> outcome, NewEvent sent) {
        if (outcome.isStored()) {
            stored.increment();
            checks.taken(sent.event().device());
            return;
        }
        if (outcome instanceof Outcome.NotDone<String>(Reason reason, String detail)) {
            switch (reason) {
                // It was here before.
                case DUPLICATE -> stored.increment(0);
                case REFUSED, TOO_LARGE, WRONG_TYPE, CONFLICT, ABSENT -> refuse(message, detail);
                case FULL, READ_ONLY, DENIED, UNAVAILABLE, ERROR ->
                        throw new IllegalStateException(detail);
            }
            return;
        }
        throw new IllegalStateException("it is not known whether the event was stored");
    }

    /** One thread calls this, so nothing here is locked. */
    private void refuse(Incoming message, String reason) {
        refused.increment();
        long now = clock.millis();
        if (now - lastLine < BETWEEN_LINES_MILLIS) {
            unlogged++;
            return;
        }
        log.warn(
                "A message can never be stored and was thrown away. topic={} bytes={} reason={}"
                        + " others={}",
                message.topic(),
                message.payload().length,
                reason,
                unlogged);
        lastLine = now;
        unlogged = 0;
    }

    @Override
    public void close() {
        receiver.close();
        duty.close();
    }
}
