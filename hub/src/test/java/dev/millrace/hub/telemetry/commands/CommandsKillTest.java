package dev.millrace.hub.telemetry.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.testing.ChildJvm;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A hub, or Redis, is killed at every step of a command. The device has heard of it once, or never
 * and the record says so, or the record says that nobody knows; never twice.
 */
class CommandsKillTest {
    private static final List<String> STEPS =
            List.of("queued", "taken", "sent", "answered", "recorded");

    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 20 : 1;

    private TestServer server;
    private int number;

    @BeforeEach
    void start() {
        // With everysec a server that is killed may take the last second along, also what was
        // given.
        server = TestServer.start("appendonly yes", "appendfsync always");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** The record and what the device has heard do not contradict each other. */
    private static void mustBeTrue(Command ended, String order, List<String> heard, String what) {
        int times = Collections.frequency(heard, order);
        String line = "%s: %s, heard %d times".formatted(what, ended, times);
        assertThat(times).as(line).isLessThanOrEqualTo(1);
        assertThat(ended.ended()).as(line).isTrue();
        if (ended.is(CommandState.COMPLETED)) {
            assertThat(times).as(line).isEqualTo(1);
        } else {
            assertThat(ended.error()).as(line).isEqualTo("WORKER_LOST");
        }
    }

    // ---------------------------------------------------------------- the hub

    @Test
    void a_hub_is_killed_at_every_step_and_another_goes_on() {
        try (CommandHub here = new CommandHub(server.url())) {
            here.channel(1);
            here.online(1, true);
            for (int round = 0; round < ROUNDS; round++) {
                for (String step : STEPS) {
                    hubKilled(here, step);
                }
            }
        }
    }

    private void hubKilled(CommandHub here, String step) {
        number++;
        double value = number % 50;
        Command given = here.given(1, "301", Integer.toString((int) value));
        String order = "A 301=" + (int) value;
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        try (ChildJvm child = ChildJvm.start(CommandChild.class, heard::add, server.url(), step)) {
            await().until(
                            () ->
                                    step.equals("recorded")
                                            ? here.ended(given)
                                            : heard.contains("at " + step));
            child.kill();
        }
        // Its lease would end by itself; nobody waits so long here.
        server.command("DEL", "millrace:lease:channel-1");
        TestDevice device = here.held(1);
        await().until(() -> here.ended(given));
        here.desk.holding().end(device);
        device.release();
        heard.addAll(device.ordered());
        mustBeTrue(here.now(given), order, heard, "hub killed, " + step);
        boolean lost = List.of("taken", "sent", "answered").contains(step);
        assertThat(here.now(given).error()).as(step).isEqualTo(lost ? "WORKER_LOST" : "");
        assertThat(server.command("EXISTS", "control:queue:1:processing")).isEqualTo(0L);
        assertThat(server.command("EXISTS", "control:queue:1")).isEqualTo(0L);
    }

    // ---------------------------------------------------------------- Redis

    @Test
    void redis_is_killed_at_every_step_and_the_hub_goes_on() {
        AtomicReference<Runnable> answered = new AtomicReference<>(() -> {});
        try (CommandHub hub =
                new CommandHub(
                        server.url(),
                        CommandHub.SETTINGS,
                        Clock.systemUTC(),
                        (after, commit) -> {
                            if (after.ended()) {
                                answered.get().run();
                            }
                        })) {
            for (int round = 0; round < ROUNDS; round++) {
                for (String step : STEPS) {
                    redisKilled(hub, step, answered);
                }
            }
        }
    }

    /** Kills the server when it is told to for the first time. */
    private Runnable once() {
        AtomicBoolean done = new AtomicBoolean();
        return () -> {
            if (done.compareAndSet(false, true)) {
                server.kill();
                server.restart();
            }
        };
    }

    private void redisKilled(CommandHub hub, String step, AtomicReference<Runnable> answered) {
        number++;
        int value = number % 50;
        Runnable kill = once();
        TestDevice device = hub.prepared(1);
        Command given = hub.given(1, "301", Integer.toString(value));
        switch (step) {
            case "queued" -> kill.run();
            case "taken" -> device.entering(kill);
            case "sent" ->
                    device.answering(
                            order -> {
                                kill.run();
                                return TestDevice.done();
                            });
            case "answered" -> answered.set(kill);
            default -> {}
        }
        hub.desk.holding().begin(device);
        await().until(() -> hub.ended(given));
        if (step.equals("recorded")) {
            kill.run();
        }
        hub.desk.holding().end(device);
        device.release();
        answered.set(() -> {});
        mustBeTrue(hub.now(given), "A 301=" + value, device.ordered(), "Redis killed, " + step);
        assertThat(hub.now(given).is(CommandState.COMPLETED)).as(step).isTrue();
    }

    /** In an accident a Redis may lose the newest of what it has acknowledged. */
    @Test
    void what_redis_forgets_is_not_sent_again() {
        try (CommandHub hub = new CommandHub(server.url())) {
            TestDevice device = hub.prepared(1);
            Command given = hub.given(1, "301", "7");
            String record = "comsrv:cmd:1:" + given.id();
            String element = String.valueOf(server.command("LINDEX", "control:queue:1", "0"));
            device.answering(
                    order -> {
                        forget(record, element);
                        return TestDevice.done();
                    });
            hub.desk.holding().begin(device);
            await().until(() -> hub.ended(given));
            assertThat(hub.now(given).is(CommandState.COMPLETED)).isTrue();

            // It comes back once more, when its end is forgotten too.
            server.command("PERSIST", record);
            device.answering(order -> TestDevice.done());
            forget(record, element);
            hub.desk.holding().end(device);
            hub.desk.holding().begin(device);
            await().until(() -> hub.ended(given));
            assertThat(hub.now(given).error()).isEqualTo("WORKER_LOST");
            assertThat(device.ordered()).containsExactly("A 301=7");
        }
    }

    /** As it was before the command was taken. */
    private void forget(String record, String element) {
        server.command("DEL", "control:queue:1:processing");
        server.command("HSET", record, "status", "pending");
        server.command("HDEL", record, "worker", "started_at", "finished_at", "result");
        server.command("RPUSH", "control:queue:1", element);
    }

    // ---------------------------------------------------------------- at any moment

    @Test
    void at_any_moment_redis_may_be_killed_while_commands_run() {
        try (CommandHub hub = new CommandHub(server.url())) {
            TestDevice device = hub.held(1);
            for (int round = 0; round < 3 * ROUNDS; round++) {
                List<Command> given = new ArrayList<>();
                List<String> heard = device.ordered();
                heard.clear();
                for (int i = 0; i < 40; i++) {
                    given.add(hub.given(1, "301", Integer.toString(i)));
                }
                int until = ThreadLocalRandom.current().nextInt(40);
                await().until(() -> heard.size() >= until);
                server.kill();
                server.restart();
                for (int i = 0; i < given.size(); i++) {
                    Command command = given.get(i);
                    await().until(() -> hub.ended(command));
                    mustBeTrue(hub.now(command), "A 301=" + i, heard, "round " + round);
                }
            }
        }
    }
}
