package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;

import dev.millrace.hub.access.AccessSettings;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** What rooms may rely on, whichever broker is in use. */
abstract class MqttContract {
    @TempDir Path directory;
    final SimpleMeterRegistry figures = new SimpleMeterRegistry();
    final TestAccess access = new TestAccess(AccessSettings.Mode.OPEN);
    private TestBroker broker;
    private Mqtt mqtt;

    abstract TestBroker start(Path directory, String... settings);

    private void open(String... settings) {
        broker = start(directory, settings);
        mqtt = connected();
    }

    private Mqtt connected() {
        return MqttSamples.settings().withUrl(broker.url()).open(directory, access.gate(), figures);
    }

    @AfterEach
    void close() {
        if (mqtt != null) {
            mqtt.close();
        }
        if (broker != null) {
            broker.close();
        }
        access.close();
    }

    private static List<Outgoing> numbered(int from, int to) {
        return IntStream.range(from, to).mapToObj(MqttContract::numbered).toList();
    }

    private static Outgoing numbered(int number) {
        return Outgoing.of("plant/tank/" + number % 7, Integer.toString(number).getBytes(UTF_8));
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    private static String text(Incoming message) {
        return new String(message.payload(), UTF_8);
    }

    @Test
    void messages_arrive_once_and_in_order() {
        open();
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        mqtt.receive("ear", "plant/#", message -> heard.add(text(message)));
        Sender sender = mqtt.sender("mouth");
        sendWhenHeard(sender, heard);
        sender.send(numbered(0, 1000));
        sender.send(numbered(1000, 2000));
        await().untilAsserted(() -> assertThat(heard.size()).isGreaterThanOrEqualTo(2000));
        assertThat(heard).containsExactlyElementsOf(numbers(0, 2000));
        assertThat(figures.get("millrace.mqtt.sent").counter().count())
                .isGreaterThanOrEqualTo(2000);
    }

    /** A subscription takes a moment; before it there is nobody to hear. */
    private static void sendWhenHeard(Sender sender, List<String> heard) {
        await().until(
                        () -> {
                            sender.send(
                                    List.of(Outgoing.of("plant/first", "first".getBytes(UTF_8))));
                            return !heard.isEmpty();
                        });
        sender.send(List.of(Outgoing.of("plant/last", "last".getBytes(UTF_8))));
        await().until(() -> heard.contains("last"));
        heard.clear();
    }

    @Test
    void what_a_handler_could_not_take_comes_again_and_is_not_overtaken() {
        open();
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger failures = new AtomicInteger();
        mqtt.receive(
                "ear",
                "plant/#",
                message -> {
                    if (text(message).equals("3") && failures.incrementAndGet() < 4) {
                        throw new IllegalStateException("not now");
                    }
                    heard.add(text(message));
                });
        Sender sender = mqtt.sender("mouth");
        sendWhenHeard(sender, heard);
        sender.send(numbered(0, 10));
        await().until(() -> heard.size() >= 10);
        assertThat(heard).containsExactlyElementsOf(numbers(0, 10));
        assertThat(failures).hasValue(4);
        assertThat(figures.get("millrace.mqtt.redelivered").counter().count()).isEqualTo(3);
    }

    @Test
    void what_was_not_acknowledged_waits_for_the_next_receiver() {
        open();
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        Receiver first =
                mqtt.receive(
                        "ear",
                        "plant/#",
                        message -> {
                            heard.add(text(message));
                            if (!text(message).endsWith("st")) {
                                throw new IllegalStateException("never");
                            }
                        });
        Sender sender = mqtt.sender("mouth");
        sendWhenHeard(sender, heard);
        sender.send(numbered(0, 5));
        await().until(() -> heard.contains("0"));
        first.close();
        // And what is sent while nobody is there.
        sender.send(numbered(5, 10));
        heard.clear();
        mqtt.receive("ear", "plant/#", message -> heard.add(text(message)));
        await().until(() -> heard.size() >= 10);
        assertThat(heard).containsExactlyElementsOf(numbers(0, 10));
    }

    @Test
    void a_broker_that_was_away_is_found_again_and_nothing_acknowledged_is_lost() {
        open();
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        mqtt.receive("ear", "plant/#", message -> heard.add(text(message)));
        Sender sender = mqtt.sender("mouth");
        sendWhenHeard(sender, heard);
        sender.send(numbered(0, 100));
        await().until(() -> heard.size() >= 100);
        broker.stop();
        assertThatThrownBy(() -> sender.send(numbered(100, 200)))
                .isInstanceOf(MqttException.class)
                .hasMessageStartingWith("The broker ");
        await().untilAsserted(
                        () ->
                                assertThat(mqtt.warnings())
                                        .singleElement()
                                        .asString()
                                        .startsWith("MQTT: The broker "));
        broker.start();
        await().ignoreExceptions()
                .until(
                        () -> {
                            sender.send(numbered(100, 200));
                            return true;
                        });
        await().until(() -> heard.contains("199"));
        assertThat(heard).containsSubsequence(numbers(0, 200));
        await().untilAsserted(() -> assertThat(mqtt.warnings()).isEmpty());
    }

    @Test
    void a_second_sender_of_the_same_name_throws_out_the_first() {
        open();
        Sender stale = mqtt.sender("mouth");
        stale.send(numbered(0, 1));
        assertThat(stale.up()).isTrue();
        try (Mqtt other = connected()) {
            other.sender("mouth").send(numbered(1, 2));
            await().until(() -> !stale.up());
        }
    }

    @Test
    void properties_travel_with_a_message() {
        open();
        Mqtt5BlockingClient client = client("reader");
        try (Mqtt5BlockingClient.Mqtt5Publishes heard =
                client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith().topicFilter("plant/#").send();
            mqtt.sender("mouth")
                    .send(
                            List.of(
                                    new Outgoing(
                                            "plant/a",
                                            "x".getBytes(UTF_8),
                                            Map.of("seq", "7", "at", "2026"))));
            Mqtt5Publish message = heard.receive();
            assertThat(message.getPayloadAsBytes()).asString().isEqualTo("x");
            assertThat(message.getUserProperties().asList())
                    .extracting(each -> each.getName() + "=" + each.getValue())
                    .containsExactlyInAnyOrder("seq=7", "at=2026");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            client.disconnect();
        }
    }

    @Test
    void a_message_that_is_too_large_is_refused_for_good_and_the_others_go_through() {
        open("64KB");
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        mqtt.receive("ear", "plant/#", message -> heard.add(text(message)));
        Sender sender = mqtt.sender("mouth");
        sendWhenHeard(sender, heard);
        Outgoing large = Outgoing.of("plant/large", new byte[100_000]);
        assertThatThrownBy(() -> sender.send(List.of(numbered(0), large, numbered(1))))
                .isInstanceOfSatisfying(
                        MqttException.class,
                        refusal -> assertThat(refusal.refused()).containsExactly(large));
        sender.send(List.of(numbered(2)));
        await().until(() -> heard.size() >= 3);
        assertThat(heard).containsExactly("0", "1", "2");
    }

    final Mqtt5BlockingClient client(String name) {
        Mqtt5BlockingClient client =
                MqttClient.builder()
                        .identifier(name)
                        .serverHost(broker.url().host())
                        .serverPort(broker.url().port())
                        .useMqttVersion5()
                        .buildBlocking();
        client.connect();
        return client;
    }
}
