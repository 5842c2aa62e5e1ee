package dev.millrace.hub.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.access.Role;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Clients that read slowly, or not at all. */
class SlowClientTest {
    private static final Topic TOPIC = Topic.named("live-slow");
    private static final LiveFeed FEED = LiveFeed.of("plant", TOPIC, Role.VIEWER, "plant");
    private static final String FILL = "x".repeat(8000);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void begin() {
        SharedServers.flushAll();
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private TestHub hub(Duration slow, int recent, LiveFeed feed) {
        LiveSettings settings = new LiveSettings(100, Duration.ofSeconds(15), slow, recent);
        TestHub hub = new TestHub(SharedServers.standalone().url(), settings, Mode.OPEN, feed);
        open.add(hub);
        return hub;
    }

    /** Asks and does not read; small buffers, so that it is full soon. */
    private Socket deaf(TestHub hub) throws IOException {
        Socket socket = new Socket();
        open.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), hub.port()));
        socket.getOutputStream()
                .write(
                        "GET /live?feeds=plant HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void write(TestHub hub, int from, int to) {
        for (int i = from; i < to; i++) {
            hub.write(TOPIC, "owner", fact(i));
        }
    }

    private static String fact(int number) {
        return "{\"n\":%d,\"key\":\"k%d\",\"fill\":\"%s\"}".formatted(number, number % 5, FILL);
    }

    private Listener listen(TestHub hub) {
        Listener listener = SseListener.open(hub.url(), "plant", "", Optional.empty());
        open.add(listener);
        return listener.awaitEvent("ready");
    }

    private static void awaitClients(TestHub hub, int count) {
        await().atMost(Listener.PATIENCE).until(() -> hub.figure("millrace.live.clients") == count);
    }

    @Test
    void one_that_reads_nothing_harms_nobody_and_is_cut() throws Exception {
        TestHub hub = hub(Duration.ofSeconds(1), 4096, FEED);
        Listener quick = listen(hub);
        deaf(hub);
        awaitClients(hub, 2);
        write(hub, 0, 1500);
        quick.awaitFacts("plant", 1500);
        assertThat(quick.facts("plant").getLast()).isEqualTo(fact(1499));
        await().atMost(Listener.PATIENCE).until(() -> hub.figure("millrace.live.cut") == 1);
        awaitClients(hub, 1);
        write(hub, 1500, 1501);
        quick.awaitFacts("plant", 1501);
    }

    @Test
    void one_that_fell_out_of_memory_gets_everything_when_it_reads_again() throws Exception {
        TestHub hub = hub(LONG, 64, FEED);
        Listener quick = listen(hub);
        Socket slow = deaf(hub);
        awaitClients(hub, 2);
        write(hub, 0, 1500);
        quick.awaitFacts("plant", 1500);
        assertThat(hub.figure("millrace.live.facts.sent")).isLessThan(2900);
        List<Integer> numbers = numbers(slow, 1499);
        assertThat(numbers).hasSize(1500).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void one_that_is_behind_gets_only_the_latest_of_each_thing_where_the_feed_says_so()
            throws Exception {
        LiveFeed latest =
                FEED.latestOf(
                        fact ->
                                new String(fact.body(), StandardCharsets.UTF_8)
                                        .replaceAll(".*\"key\":\"(\\w+)\".*", "$1"));
        TestHub hub = hub(LONG, 4096, latest);
        Listener quick = listen(hub);
        Socket slow = deaf(hub);
        awaitClients(hub, 2);
        write(hub, 0, 1500);
        // Not all of them: on a busy machine this one may be behind for a moment, too.
        await().atMost(Listener.PATIENCE).until(() -> quick.facts("plant").contains(fact(1499)));
        List<Integer> numbers = numbers(slow, 1499);
        assertThat(numbers).hasSizeLessThan(1400).isSorted();
        Map<Integer, Integer> last = new HashMap<>();
        numbers.forEach(number -> last.put(number % 5, number));
        assertThat(last.values()).containsExactlyInAnyOrder(1495, 1496, 1497, 1498, 1499);
    }

    /** Reads until this number has come. */
    private static List<Integer> numbers(Socket socket, int end) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        while (numbers.isEmpty() || numbers.getLast() != end) {
            String line = lines.readLine();
            if (line == null) {
                throw new IOException("It ended after " + numbers.size());
            }
            if (line.startsWith("data: {\"n\":")) {
                numbers.add(Integer.valueOf(line.replaceAll("data: \\{\"n\":(\\d+).*", "$1")));
            }
        }
        return numbers;
    }
}
