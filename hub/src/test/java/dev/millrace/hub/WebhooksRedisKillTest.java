package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.pubsub.HookReceiver;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Redis is killed while messages are published and webhooks are called, and hubs too: every message
 * whose publish was answered reaches the receiver, in order, and in the end nobody has work left.
 */
class WebhooksRedisKillTest {
    private static final Logger log = LoggerFactory.getLogger(WebhooksRedisKillTest.class);

    /** Far away: only a hang reaches it. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int CHANNELS = 4;

    private enum Victim {
        /** Killed and started again before the hubs notice more than a broken connection. */
        REDIS,
        /** Away until a publish was refused: whoever waits for it has given up once. */
        REDIS_FOR_LONG,
        HUB,
        BOTH
    }

    @TempDir private Path directory;

    private final AtomicReferenceArray<Millrace> hubs = new AtomicReferenceArray<>(2);
    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean writing = true;

    @AfterEach
    void end() {
        threads.shutdownNow();
        for (int i = 0; i < hubs.length(); i++) {
            if (hubs.get(i) != null) {
                hubs.get(i).close();
            }
        }
        client.shutdownNow();
    }

    private Millrace hub(TestServer server, HookReceiver receiver) throws InterruptedException {
        return Millrace.start(
                        directory,
                        "run",
                        "--set",
                        "redis.url=" + server.url(),
                        "--set",
                        "durability=fsync",
                        "--set",
                        "pubsub.channels=[{regex: .+, webhooks: [{url: '%s/', retry: {count: 100000, interval: 20ms, intervalMultiplier: 1, intervalJitter: 10ms}}]}]"
                                .formatted(receiver.url()))
                .awaitReady();
    }

    /** Publishes one message after the other, each until it is answered; gives their ids. */
    private List<String> publish(HookArrivals arrivals, String channel)
            throws InterruptedException {
        List<String> answered = new ArrayList<>();
        for (int n = 0; writing; n++) {
            arrivals.awaitRoom(channel);
            String id = channel + "-" + n;
            for (int i = n; !published(hubs.get(i % 2), channel, id); i++) {
                LockSupport.parkNanos(20_000_000);
            }
            answered.add(id);
        }
        return answered;
    }

    private boolean published(Millrace hub, String channel, String id) {
        try {
            TestHub.Reply reply =
                    TestHub.send(
                            String.valueOf(hub.url()).replaceAll("/$", ""),
                            client,
                            "PUT",
                            "/channel/%s/message/%s".formatted(channel, id),
                            "1",
                            Optional.empty());
            assertThat(reply.status()).as(reply.body()).isIn(200, 503);
            if (reply.status() == 503) {
                refused.incrementAndGet();
            }
            return reply.status() == 200;
        } catch (UncheckedIOException e) {
            return false; // this one was killed
        }
    }

    /** A publisher that has failed would let the test wait for nothing. */
    private static void mustGoOn(List<Future<List<String>>> publishers) {
        for (Future<List<String>> each : publishers) {
            if (each.state() == Future.State.FAILED) {
                throw new AssertionError("A publisher has failed.", each.exceptionNow());
            }
        }
    }

    private static List<Victim> victims() {
        List<Victim> victims = new ArrayList<>();
        int rounds = Boolean.getBoolean("millrace.full") ? 10 : 1;
        for (int round = 0; round < rounds; round++) {
            List<Victim> each = new ArrayList<>(List.of(Victim.values()));
            Collections.shuffle(each);
            victims.addAll(each);
        }
        return victims;
    }

    @Test
    void whatever_is_killed_what_was_answered_arrives_in_order_and_no_work_is_left()
            throws Exception {
        HookArrivals arrivals = new HookArrivals();
        List<Victim> victims = victims();
        try (TestServer server =
                        TestServer.start("appendonly yes", "appendfsync always", "save \"\"");
                HookReceiver receiver = HookReceiver.start()) {
            receiver.answering(arrivals::answer);
            hubs.set(0, hub(server, receiver));
            hubs.set(1, hub(server, receiver));
            List<String> channels = IntStream.range(0, CHANNELS).mapToObj(i -> "c" + i).toList();
            List<Future<List<String>>> publishers = new ArrayList<>();
            for (String channel : channels) {
                publishers.add(threads.submit(() -> publish(arrivals, channel)));
            }
            for (Victim victim : victims) {
                int enough = arrivals.count() + ThreadLocalRandom.current().nextInt(20, 80);
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(
                                () -> {
                                    mustGoOn(publishers);
                                    return arrivals.count() >= enough;
                                });
                kill(victim, server, receiver);
            }
            int afterwards = arrivals.count() + 50;
            await().atMost(PATIENCE).until(() -> arrivals.count() >= afterwards);
            writing = false;
            arrivals.letAllGo();
            for (int i = 0; i < CHANNELS; i++) {
                List<String> answered = publishers.get(i).get();
                String channel = channels.get(i);
                await().atMost(PATIENCE)
                        .until(() -> arrivals.of(channel).size() >= answered.size());
                assertThat(arrivals.of(channel)).isEqualTo(answered);
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(arrivals.taken(channel)).isEqualTo(answered));
                assertThat(server.command("EXISTS", "millrace:dead:{" + channel + "}"))
                        .as("given up")
                        .isEqualTo(0L);
            }
            // Also what is armed for a publish that nobody finished is looked at and taken away.
            await().atMost(PATIENCE).until(() -> workLeft(server).isEmpty());
            // One message of a channel is on its way at a time, and only that may come again.
            assertThat(arrivals.takenAgain()).isLessThanOrEqualTo(victims.size() * CHANNELS);
            log.info(
                    "Redis killed during webhooks: kills={} arrived={} refused-by-receiver={}"
                            + " taken-again={} refused-publishes={}",
                    victims.size(),
                    arrivals.count(),
                    arrivals.refused(),
                    arrivals.takenAgain(),
                    refused);
        }
    }

    private void kill(Victim victim, TestServer server, HookReceiver receiver) throws Exception {
        int which = new Random().nextInt(2);
        if (victim == Victim.HUB || victim == Victim.BOTH) {
            hubs.get(which).signal("KILL");
        }
        if (victim != Victim.HUB) {
            server.kill();
            if (victim == Victim.REDIS_FOR_LONG) {
                int before = refused.get();
                await().atMost(PATIENCE).until(() -> refused.get() > before);
            }
            server.restart();
        }
        if (victim == Victim.HUB || victim == Victim.BOTH) {
            hubs.get(which).end();
            hubs.get(which).close();
            hubs.set(which, hub(server, receiver));
        }
    }

    /** What is in the lists of work and in their notes. */
    private static List<Object> workLeft(TestServer server) {
        List<Object> left = new ArrayList<>();
        for (String pattern : List.of("millrace:webhook-work:*", "millrace:webhook-notes:*")) {
            left.addAll((List<?>) server.command("KEYS", pattern));
        }
        return left;
    }
}
