package dev.millrace.hub.readings;

import dev.millrace.hub.mqtt.Incoming;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.Receiver;
import dev.millrace.hub.readings.arriving.Refused;
import dev.millrace.hub.readings.arriving.Taken;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.redis.outcome.UnconfirmedException;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;

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

    private final EventsService events;
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
            EventsService events,
            MeterRegistry figures,
            InstantSource clock) {
        this.events = events;
        this.clock = clock;
        this.figures = figures;
        stored =
                Counter.builder("millrace.readings.mqtt.stored")
                        .description("Events that came by MQTT and were stored.")
                        .register(figures);
        // The work is done by the receiver; the duty says which hub has one.
        duty = Duty.start(keyspace, "readings-mqtt", figures, turn -> LONG);
        receiver = mqtt.receive("readings", FILTER, this::take, duty::held);
    }

    private void take(Incoming message) {
        byte[] body = message.payload();
        switch (events.take(body, isCbor(body)).join()) {
            case Taken.Stored event -> stored.increment();
            // It is stored; a sender that is asked again would store it once more.
            case Refused.NotStored(UnconfirmedException event) -> stored.increment();
            case Refused why when isThereAlready(why) -> {}
            case Refused why when why.isPassing() ->
                    throw new IllegalStateException(why.sentence());
            case Refused why -> refuse(message, why);
        }
    }

    /** An object in CBOR begins with a byte that no JSON begins with. */
    private static boolean isCbor(byte[] body) {
        return body.length > 0 && body[0] < 0;
    }

    private static boolean isThereAlready(Refused why) {
        return why instanceof Refused.NotStored(RedisException failure)
                && failure.reason() == Reason.DUPLICATE;
    }

    /** One thread calls this, so nothing here is locked. */
    private void refuse(Incoming message, Refused why) {
        Counter.builder("millrace.readings.mqtt.refused")
                .description("Messages on edgex/events/# that can never be stored.")
                .tag("reason", why.word())
                .register(figures)
                .increment();
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
                why.sentence(),
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
