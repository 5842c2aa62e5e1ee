package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;

import dev.millrace.keyspace.feed.FeedHealth;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** The embedded broker is told what somebody listens to, and nothing else. */
class MqttAudienceTest {
    private static final boolean FULL = Boolean.getBoolean("millrace.full");
    private static final int ROUNDS = FULL ? 300 : 25;
    private static final int STAYING = 3600;

    /** With these nobody hears of an event of the pump. */
    private static final List<String> BESIDE =
            List.of(
                    "plant/#",
                    "millrace/event/#",
                    "millrace/events",
                    "millrace/events/pump/x",
                    "+",
                    "+/+",
                    "+/+/+/+",
                    "brewcast/datastore/#");

    private static final List<String> MATCHING =
            List.of(
                    "millrace/events/pump",
                    "millrace/events/+",
                    "millrace/events/#",
                    "millrace/#",
                    "#",
                    "+/#",
                    "+/events/pump",
                    "+/+/+",
                    "millrace/+/pump/#",
                    "$share/group/millrace/events/#",
                    "$share/group/#");

    @TempDir Path directory;
    private final int port = TestPorts.take();
    private final List<Mqtt5AsyncClient> clients = new ArrayList<>();
    private TestHub hub;

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        hub = hub("a", port);
    }

    private TestHub hub(String name, int at) {
        return TestHub.start(
                SharedServers.standalone().url(),
                "data.dir=" + directory.resolve(name),
                "mqtt.embedded.port=" + at);
    }

    @AfterEach
    void stop() {
        clients.forEach(each -> each.disconnect().exceptionally(gone -> null).join());
        hub.close();
    }

    /** Somebody who writes down what it hears, and may be back. */
    private final class Ear {
        final Queue<String> heard = new ConcurrentLinkedQueue<>();
        private final Mqtt5AsyncClient client;
        private final int staying;

        Ear(int at, int staying) {
            this.staying = staying;
            client =
                    MqttClient.builder()
                            .serverHost("127.0.0.1")
                            .serverPort(at)
                            .identifier("ear-" + UUID.randomUUID())
                            .useMqttVersion5()
                            .buildAsync();
            client.publishes(
                    MqttGlobalPublishFilter.ALL,
                    each -> heard.add(new String(each.getPayloadAsBytes(), UTF_8)));
            clients.add(client);
            connect();
        }

        void connect() {
            client.connectWith()
                    .cleanStart(false)
                    .sessionExpiryInterval(staying)
                    .send()
                    .orTimeout(60, SECONDS)
                    .join();
        }

        /** Returns when the broker has acknowledged it. */
        Ear listen(String filter) {
            client.subscribeWith()
                    .topicFilter(filter)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .send()
                    .orTimeout(60, SECONDS)
                    .join();
            return this;
        }

        void leave() {
            client.disconnect().orTimeout(60, SECONDS).join();
        }

        void hears(List<String> ids) {
            for (String id : ids) {
                await().atMost(60, SECONDS)
                        .untilAsserted(() -> assertThat(heard).anyMatch(each -> each.contains(id)));
            }
        }
    }

    private Ear ear() {
        return new Ear(port, 0);
    }

    private static String post(TestHub to, String device) {
        String id = UUID.randomUUID().toString();
        TestHub.Reply reply =
                to.send(
                        "POST",
                        "/api/v1/event",
                        "{\"id\":\"%s\",\"device\":\"%s\",\"readings\":[{\"name\":\"n\",\"value\":\"1\"}]}"
                                .formatted(id, device));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return id;
    }

    private List<String> post(int count, String device) {
        return IntStream.range(0, count).mapToObj(i -> post(hub, device)).toList();
    }

    /** Messages that the broker has acknowledged to the hub. */
    private static double sent(TestHub of) {
        return of.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("millrace_mqtt_sent_total "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    private FeedHealth.Reader cursor(String topic, String reader) {
        return hub.keyspace().feed(Topic.named(topic)).health().readers().stream()
                .filter(each -> each.name().equals(reader))
                .findFirst()
                .orElseThrow();
    }

    /** What is behind the cursor was told, or never will be. */
    private void awaitAllRead(String topic, String reader) {
        await().atMost(60, SECONDS)
                .untilAsserted(() -> assertThat(cursor(topic, reader).unread()).isZero());
    }

    @Test
    void nothing_is_announced_to_nobody_and_the_feed_does_not_wait() {
        post(20, "pump");
        awaitAllRead("events", "mqtt");
        assertThat(sent(hub)).isZero();
    }

    @Test
    void changes_of_documents_are_not_announced_to_nobody_either() {
        for (int n = 0; n < 20; n++) {
            hub.send(
                    "POST",
                    "/history/datastore/set",
                    "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"n\":%d}}".formatted(n));
        }
        awaitAllRead("documents", "documents-events");
        assertThat(sent(hub)).isZero();
    }

    @Test
    void who_listens_to_something_else_is_nobody() {
        List<Ear> ears = BESIDE.stream().map(filter -> ear().listen(filter)).toList();
        post(20, "pump");
        awaitAllRead("events", "mqtt");
        assertThat(sent(hub)).isZero();
        assertThat(ears).allMatch(each -> each.heard.isEmpty());
    }

    @Test
    void who_listens_hears_all_whatever_the_filter() {
        // Which filters there are is known by tests of their own; here some of each sort go round.
        for (String filter : FULL ? MATCHING : List.of("#", "+/+/+", "$share/group/#")) {
            Ear ear = ear().listen(filter);
            ear.hears(post(5, "pump"));
            ear.leave();
            awaitNobody();
        }
    }

    /** A broker notices a moment later that somebody has left. */
    private void awaitNobody() {
        await().atMost(60, SECONDS)
                .untilAsserted(
                        () -> {
                            double before = sent(hub);
                            post(1, "pump");
                            awaitAllRead("events", "mqtt");
                            assertThat(sent(hub)).isEqualTo(before);
                        });
    }

    @Test
    void who_is_away_with_a_session_hears_all_when_it_is_back() {
        Ear ear = new Ear(port, STAYING).listen("millrace/events/#");
        ear.leave();
        List<String> ids = new ArrayList<>(post(20, "pump"));
        awaitAllRead("events", "mqtt");
        ear.connect();
        ear.hears(ids);
        ear.leave();
        // The session is on disk, and counts from the first moment after a restart.
        hub.close();
        hub = hub("a", port);
        ids = post(20, "pump");
        awaitAllRead("events", "mqtt");
        ear.connect();
        ear.hears(ids);
    }

    @Test
    void who_has_unsubscribed_is_nobody() {
        Ear ear = new Ear(port, STAYING).listen("millrace/events/#");
        ear.hears(post(1, "pump"));
        ear.client.unsubscribeWith().topicFilter("millrace/events/#").send().join();
        awaitNobody();
    }

    /** Beside others that write all the time, so that the hub is always just passing over. */
    @Test
    void what_is_written_after_a_subscription_was_acknowledged_is_heard() {
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Void>> writers =
                IntStream.range(0, 3)
                        .mapToObj(
                                n ->
                                        CompletableFuture.runAsync(
                                                () -> {
                                                    while (!over.get()) {
                                                        post(hub, "other" + n);
                                                    }
                                                },
                                                Thread::startVirtualThread))
                        .toList();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                String device = "probe" + round;
                Ear ear = ear().listen("millrace/events/" + device);
                ear.hears(post(2, device));
                ear.leave();
            }
        } finally {
            over.set(true);
        }
        writers.forEach(each -> each.orTimeout(60, SECONDS).join());
    }

    @Test
    void with_several_hubs_those_at_the_broker_of_the_one_that_announces_count() {
        post(1, "pump");
        awaitAllRead("events", "mqtt");
        int second = TestPorts.take();
        TestHub first = hub;
        try (TestHub other = hub("b", second)) {
            Ear there = new Ear(second, 0).listen("millrace/events/#");
            // Nobody listens at the first one, which has the duty.
            post(other, "pump");
            awaitAllRead("events", "mqtt");
            assertThat(sent(first) + sent(other)).isZero();
            Ear here = ear().listen("millrace/events/#");
            here.hears(List.of(post(other, "pump")));
            // Now the other one has the duty; its own count, and nothing that waited is lost.
            first.close();
            there.hears(List.of(post(other, "pump")));
            hub = hub("a", port);
        }
    }
}
