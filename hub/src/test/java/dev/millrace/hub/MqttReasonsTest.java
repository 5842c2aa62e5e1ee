package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.util.concurrent.TimeUnit.SECONDS;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import dev.millrace.hub.mqtt.Packets;
import dev.millrace.hub.mqtt.Packets.Connect;
import dev.millrace.hub.mqtt.RawMqtt;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A message that can never be stored is thrown away for a reason, and the reason can be found. */
class MqttReasonsTest {
    private static final int V5 = Packets.V5;

    @TempDir Path directory;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger log =
            (Logger) LoggerFactory.getLogger("dev.millrace.hub.readings.MqttIngest");
    private final AppenderBase<ILoggingEvent> appender =
            new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    lines.add(event.getFormattedMessage());
                }
            };
    private int port;
    private TestHub hub;

    @BeforeEach
    void start() throws IOException {
        port = TestPorts.take();
        String redis = SharedServers.standalone().url();
        SharedServers.flushAll();
        hub =
                TestHub.start(
                        redis,
                        "data.dir=" + directory,
                        "mqtt.embedded.port=" + port,
                        "readings.validate=true");
        appender.setContext(log.getLoggerContext());
        appender.start();
        log.addAppender(appender);
        hub.send("POST", "/api/v1/valuedescriptor", "{\"name\":\"power\",\"type\":\"I\"}");
        // The hub subscribes a moment after it is ready.
        await().atMost(60, SECONDS).until(() -> isStored(send("power", "1")));
    }

    @AfterEach
    void stop() {
        log.detachAppender(appender);
        hub.close();
    }

    private String send(String name, String value) {
        String id = UUID.randomUUID().toString();
        RawMqtt client = RawMqtt.open(port).send(Connect.of(V5, "c-" + id).packet());
        assertThat(client.await(RawMqtt.CONNACK).code()).isZero();
        client.publish(
                V5,
                "edgex/events/pump",
                "{\"id\":\"%s\",\"device\":\"pump\",\"readings\":[{\"name\":\"%s\",\"value\":\"%s\"}]}"
                        .formatted(id, name, value));
        client.leave();
        return id;
    }

    private boolean isStored(String id) {
        return hub.get("/api/v1/event/" + id).status() == 200;
    }

    private void awaitNext() {
        String next = send("power", "2");
        await().atMost(60, SECONDS).until(() -> isStored(next));
    }

    @Test
    void the_log_and_the_figures_say_why_a_message_was_thrown_away() {
        String nobody = send("nobody-described-this", "1");
        awaitNext();
        String wrong = send("power", "much");
        awaitNext();
        assertThat(isStored(nobody)).isFalse();
        assertThat(isStored(wrong)).isFalse();
        // Only one line in a while: what is thrown away may come fast.
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("Value descriptor not found for reading 'nobody-described-this'.");
        assertThat(hub.get("/metrics").body())
                .contains("millrace_readings_mqtt_refused_total{reason=\"undescribed\"} 1")
                .contains("millrace_readings_mqtt_refused_total{reason=\"invalid\"} 1");
    }
}
