package dev.millrace.hub.telemetry.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.Quiet;
import dev.millrace.hub.Rooms;
import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Audit;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** What becomes of orders, from their giving to their end. */
@OnEachSite
class CommandsTest {
    @Parameter Site site;

    private CommandHub hub;

    @BeforeEach
    void open() {
        site.url();
        SharedServers.flushAll();
        hub = new CommandHub(site.url());
    }

    @AfterEach
    void close() {
        hub.close();
    }

    private Map<String, String> mirror(PointType type, int channel) {
        Cell.Key key = TelemetryLayouts.values(type).at(Integer.toString(channel));
        return hub.keyspace.cells().hash(key).answer().or(Map.of());
    }

    private List<String> queue(int channel) {
        return hub.keyspace
                .cells()
                .list(TelemetryLayouts.CONTROL_QUEUE.at(Integer.toString(channel)), 0, -1)
                .answer()
                .or(List.of());
    }

    private List<String> processing(int channel) {
        return hub.keyspace
                .cells()
                .list(TelemetryLayouts.CONTROL_PROCESSING.at(Integer.toString(channel)), 0, -1)
                .answer()
                .or(List.of());
    }

    private List<String> events(int channel) {
        return hub.keyspace
                .cells()
                .list(TelemetryLayouts.CONTROL_EVENTS.of(Integer.toString(channel)), 0, -1)
                .answer()
                .or(List.of());
    }

    private void push(int channel, String element) {
        hub.keyspace
                .commit(Integer.toString(channel))
                .append(
                        TelemetryLayouts.CONTROL_QUEUE.at(Integer.toString(channel)),
                        element.getBytes(UTF_8),
                        10_000)
                .run()
                .orThrow();
    }

    /** Worked example 5 of the description. */
    @Test
    void a_command_waits_is_sent_and_has_ended() {
        hub.channel(1);
        hub.online(1, true);
        Command given = hub.given(Order.of(1, "201", "1", CommandHub.ANN).because("test"));

        Command pending = hub.now(given);
        assertThat(pending.fields())
                .containsEntry("point_id", "201")
                .containsEntry("value", "1")
                .containsEntry("status", "pending")
                .containsEntry("type", "C")
                .containsEntry("requested_by", "ann")
                .containsKey("timestamp");
        assertThat(mirror(PointType.C, 1))
                .containsEntry("201", "1")
                .containsEntry("_status", "pending")
                .containsEntry("_updated_at", pending.fields().get("timestamp"));
        assertThat(queue(1)).hasSize(1);
        assertThat(events(1).getFirst())
                .contains("\"type\":\"control\"", "\"key\":\"comsrv:1:C\"")
                .contains("\"point\":\"201\"", "\"value\":\"1\"", given.id());

        TestDevice device = hub.held(1);
        await().until(() -> hub.ended(given));
        assertThat(device.ordered()).containsExactly("C 201=1");
        Command ended = hub.now(given);
        assertThat(ended.is(CommandState.COMPLETED)).as(ended.toString()).isTrue();
        assertThat(ended.fields()).containsKeys("started_at", "finished_at", "duration_ms");
        assertThat(mirror(PointType.C, 1))
                .containsEntry("_status", "completed")
                .containsEntry("201", "1");
        assertThat(queue(1)).isEmpty();
        assertThat(processing(1)).isEmpty();
        assertThat(events(1))
                .extracting(CommandsTest::type)
                .containsExactly("control_completed", "control_started", "control");
        String key = "comsrv:cmd:1:" + given.id();
        Object ttl = site.cluster() ? 86_400L : site.command(key, "TTL", key);
        assertThat((Long) ttl).isBetween(86_000L, 86_400L);
        assertThat(hub.desk.latest(1, 10)).containsExactly(ended);
        assertThat(hub.keyspace.check().run().findings()).isEmpty();
    }

    private static String type(String event) {
        return Json.MAPPER.readTree(event).path("type").asString();
    }

    @Test
    void the_same_id_again_is_executed_once_and_with_another_value_it_is_a_conflict() {
        TestDevice device = hub.held(1);
        hub.channel(2);
        hub.online(2, true);
        Order order = Order.of(1, "301", "12.5", CommandHub.ANN).withId("mine-1");
        Command given = hub.given(order);
        assertThat(hub.desk.submit(order)).isInstanceOf(Submitted.Before.class);
        await().until(() -> hub.ended(given));
        assertThat(hub.desk.submit(order)).isEqualTo(new Submitted.Before(hub.now(given)));
        for (Order other :
                List.of(
                        Order.of(1, "301", "13", CommandHub.ANN).withId("mine-1"),
                        Order.of(1, "7", "12.5", CommandHub.ANN)
                                .ofType(PointType.A)
                                .withId("mine-1"),
                        Order.of(2, "301", "12.5", CommandHub.ANN).withId("mine-1"))) {
            assertThat(refusal(other)).isEqualTo(EmsCode.COMMAND_CONFLICT);
        }
        assertThat(device.ordered()).containsExactly("A 301=12.5");
    }

    private EmsCode refusal(Order order) {
        return hub.desk.submit(order) instanceof Submitted.Not(var why)
                ? why.code()
                : EmsCode.INTERNAL_ERROR;
    }

    @Test
    void fifty_commands_run_one_at_a_time_in_their_order() {
        hub.channel(1);
        hub.online(1, true);
        List<Command> given =
                IntStream.range(0, 50)
                        .mapToObj(i -> hub.given(1, "301", Integer.toString(i)))
                        .toList();
        List<String> atOnce = new ArrayList<>();
        TestDevice device = new TestDevice(hub.keyspace, 1, "one");
        device.answering(
                order -> {
                    if (processing(1).size() != 1) {
                        atOnce.add(order);
                    }
                    return TestDevice.done();
                });
        assertThat(device.take()).isTrue();
        hub.desk.holding().begin(device);
        await().until(() -> given.stream().allMatch(hub::ended));
        assertThat(device.ordered())
                .isEqualTo(IntStream.range(0, 50).mapToObj(i -> "A 301=" + i).toList());
        assertThat(atOnce).isEmpty();
    }

    @Test
    void a_higher_priority_overtakes_what_waits_and_not_what_runs() throws Exception {
        TestDevice device = hub.held(1);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        device.answering(
                order -> {
                    running.countDown();
                    awaitQuietly(go);
                    return TestDevice.done();
                });
        hub.given(1, "301", "1");
        running.await();
        List<Command> rest = new ArrayList<>();
        rest.add(hub.given(1, "301", "2"));
        rest.add(hub.given(Order.of(1, "301", "3", CommandHub.ANN).withPriority(1)));
        rest.add(hub.given(Order.of(1, "301", "4", CommandHub.ANN).withPriority(9)));
        rest.add(hub.given(Order.of(1, "301", "5", CommandHub.ANN).withPriority(9)));
        rest.add(hub.given(1, "301", "6"));
        go.countDown();
        await().until(() -> rest.stream().allMatch(hub::ended));
        assertThat(device.ordered())
                .containsExactly("A 301=1", "A 301=4", "A 301=5", "A 301=2", "A 301=6", "A 301=3");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void what_is_too_late_is_never_sent() {
        hub.channel(1);
        hub.online(1, true);
        Command late =
                hub.given(
                        Order.of(1, "201", "1", CommandHub.ANN)
                                .until(Instant.now().minusSeconds(5)));
        Command sound = hub.given(1, "201", "0");
        TestDevice device = hub.held(1);
        await().until(() -> hub.ended(sound) && hub.ended(late));
        assertThat(hub.now(late).error()).isEqualTo("EXPIRED");
        assertThat(device.ordered()).containsExactly("C 201=0");
    }

    @Test
    void what_nobody_holds_ends_when_its_time_is_over() {
        hub.channel(1);
        Command late =
                hub.given(
                        Order.of(1, "201", "1", CommandHub.ANN).mayWait(true).until(Instant.now()));
        await().until(() -> hub.ended(late));
        assertThat(hub.now(late).error()).isEqualTo("EXPIRED");
        assertThat(queue(1)).isEmpty();
    }

    @Test
    void what_is_pending_can_be_taken_back_and_nothing_else() throws Exception {
        TestDevice device = hub.held(1);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        device.answering(
                order -> {
                    running.countDown();
                    awaitQuietly(go);
                    return TestDevice.done();
                });
        Command first = hub.given(1, "201", "1");
        running.await();
        Command second = hub.given(1, "201", "0");
        assertThat(hub.desk.cancel(first.id(), CommandHub.ANN))
                .isInstanceOfSatisfying(
                        Cancelled.Not.class,
                        not -> assertThat(not.why().code()).isEqualTo(EmsCode.INVALID_STATE));
        assertThat(hub.desk.cancel(second.id(), new Actor("bob", "10.0.0.8")))
                .isInstanceOf(Cancelled.Done.class);
        assertThat(new Audit(hub.keyspace).latest(1))
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.who()).isEqualTo("bob");
                            assertThat(each.from()).isEqualTo("10.0.0.8");
                            assertThat(each.what()).isEqualTo("command cancelled");
                            assertThat(each.about()).startsWith("comsrv:1:C 201: 1 to 0");
                        });
        assertThat(hub.desk.cancel("cmd_none", CommandHub.ANN))
                .isInstanceOfSatisfying(
                        Cancelled.Not.class,
                        not -> assertThat(not.why().code()).isEqualTo(EmsCode.COMMAND_NOT_FOUND));
        go.countDown();
        await().until(() -> hub.ended(first));
        assertThat(hub.now(second).error()).isEqualTo("CANCELLED");
        assertThat(device.ordered()).containsExactly("C 201=1");
        assertThat(events(1)).extracting(CommandsTest::type).contains("control_cancelled");
    }

    @Test
    void how_a_device_answers_is_how_a_command_ends() {
        TestDevice device = hub.held(1);
        record Case(Ordered answer, CommandState state, String error, Optional<String> actual) {}
        List<Case> cases =
                List.of(
                        new Case(TestDevice.done(), CommandState.COMPLETED, "", Optional.empty()),
                        new Case(
                                new Ordered.Done(OptionalDouble.of(12.4)),
                                CommandState.COMPLETED,
                                "",
                                Optional.of("12.4")),
                        new Case(
                                new Ordered.Refused("ILLEGAL_DATA_ADDRESS", "no"),
                                CommandState.FAILED,
                                "REJECTED_BY_DEVICE",
                                Optional.empty()),
                        new Case(
                                new Ordered.NotSent(Ordered.Cause.OFFLINE, "gone"),
                                CommandState.FAILED,
                                "DEVICE_OFFLINE",
                                Optional.empty()),
                        new Case(
                                new Ordered.NotSent(Ordered.Cause.UNKNOWN_POINT, "where"),
                                CommandState.FAILED,
                                "UNKNOWN_POINT",
                                Optional.empty()),
                        new Case(
                                new Ordered.NotSent(Ordered.Cause.OUT_OF_RANGE, "much"),
                                CommandState.FAILED,
                                "OUT_OF_RANGE",
                                Optional.empty()),
                        new Case(
                                new Ordered.NotSent(Ordered.Cause.LATE, "late"),
                                CommandState.FAILED,
                                "TIMEOUT",
                                Optional.empty()),
                        new Case(
                                new Ordered.Unknown("silence"),
                                CommandState.FAILED,
                                "TIMEOUT",
                                Optional.empty()));
        for (Case each : cases) {
            device.answering(order -> each.answer);
            Command given = hub.given(1, "201", "1");
            await().until(() -> hub.ended(given));
            Command ended = hub.now(given);
            assertThat(ended.is(each.state)).as(ended.toString()).isTrue();
            assertThat(ended.error()).isEqualTo(each.error);
            assertThat(ended.actualValue()).isEqualTo(each.actual);
            assertThat(mirror(PointType.C, 1)).containsEntry("_status", each.state.word());
        }
        assertThat(device.ordered()).as("a control is tried once").hasSize(cases.size());
    }

    @Test
    void a_set_point_that_was_not_heard_of_is_tried_again() {
        TestDevice device = hub.held(1);
        device.answering(
                order ->
                        device.ordered().size() < 2
                                ? new Ordered.NotSent(Ordered.Cause.OFFLINE, "reconnecting")
                                : TestDevice.done());
        Command given = hub.given(1, "301", "5");
        await().until(() -> hub.ended(given));
        assertThat(hub.now(given).is(CommandState.COMPLETED)).isTrue();
        assertThat(device.ordered()).hasSize(2);
    }

    @Test
    void what_cannot_be_is_refused_and_changes_nothing() {
        hub.channel(1);
        hub.online(1, true);
        hub.channel(3);
        Map<String, Object> before = Quiet.of(site.dump());
        record Case(Order order, EmsCode code) {}
        Order sound = Order.of(1, "201", "1", CommandHub.ANN);
        for (Case each :
                List.of(
                        new Case(
                                Order.of(2, "201", "1", CommandHub.ANN), EmsCode.CHANNEL_NOT_FOUND),
                        new Case(Order.of(1, "999", "1", CommandHub.ANN), EmsCode.POINT_NOT_FOUND),
                        new Case(Order.of(1, "101", "1", CommandHub.ANN), EmsCode.POINT_NOT_FOUND),
                        new Case(sound.ofType(PointType.T), EmsCode.POINT_NOT_FOUND),
                        new Case(sound.ofType(PointType.A), EmsCode.POINT_NOT_FOUND),
                        new Case(Order.of(1, "201", "2", CommandHub.ANN), EmsCode.VALIDATION_ERROR),
                        new Case(
                                Order.of(1, "201", "0.5", CommandHub.ANN),
                                EmsCode.VALIDATION_ERROR),
                        new Case(
                                Order.of(1, "201", "-1", CommandHub.ANN), EmsCode.VALIDATION_ERROR),
                        new Case(
                                Order.of(1, "301", "50.6", CommandHub.ANN),
                                EmsCode.VALIDATION_ERROR),
                        new Case(
                                Order.of(1, "301", "-10.1", CommandHub.ANN),
                                EmsCode.VALIDATION_ERROR),
                        new Case(
                                Order.of(1, "301", "NaN", CommandHub.ANN),
                                EmsCode.VALIDATION_ERROR),
                        new Case(sound.withPriority(0), EmsCode.VALIDATION_ERROR),
                        new Case(sound.withPriority(10), EmsCode.VALIDATION_ERROR),
                        new Case(sound.withId("C"), EmsCode.RESERVED_ID),
                        new Case(sound.withId("history"), EmsCode.RESERVED_ID),
                        new Case(sound.withId("a:b"), EmsCode.VALIDATION_ERROR),
                        new Case(
                                Order.of(3, "201", "1", CommandHub.ANN), EmsCode.DEVICE_OFFLINE))) {
            assertThat(refusal(each.order)).as(each.toString()).isEqualTo(each.code);
        }
        assertThat(Quiet.of(site.dump())).isEqualTo(before);
    }

    @Test
    void a_full_queue_refuses_and_drops_nothing() {
        hub.channel(1);
        hub.online(1, true);
        for (int i = 0; i < CommandWrites.MOST_WAITING; i++) {
            push(1, "{\"point_id\":201,\"value\":1}");
        }
        assertThat(refusal(Order.of(1, "201", "1", CommandHub.ANN))).isEqualTo(EmsCode.QUEUE_FULL);
        assertThat(queue(1)).hasSize(CommandWrites.MOST_WAITING);
    }

    @Test
    void what_others_put_into_the_queue_is_executed() {
        TestDevice device = hub.held(1);
        push(1, "{\"point_id\":201,\"value\":1}");
        await().until(() -> device.ordered().size() == 1);
        push(
                1,
                "{\"point_id\":\"301\",\"value\":\"7.5\",\"cmd_id\":\"theirs\",\"source\":\"scada\"}");
        push(1, "{\"point_id\":301,\"value\":7.5,\"cmd_id\":\"theirs\"}");
        push(1, "{\"point_id\":7,\"value\":1,\"type\":\"A\"}");
        await().until(() -> device.ordered().size() == 3 && processing(1).isEmpty());
        assertThat(device.ordered()).containsExactly("C 201=1", "A 301=7.5", "A 7=1");
        Command theirs = hub.desk.find("theirs").orElseThrow();
        assertThat(theirs.is(CommandState.COMPLETED)).isTrue();
        assertThat(theirs.source()).isEqualTo("scada");
        assertThat(hub.desk.latest(1, 10))
                .allMatch(Command::ended)
                .extracting(Command::source)
                .containsExactly("foreign", "scada", "foreign");
        assertThat(mirror(PointType.A, 1)).containsEntry("301", "7.5").containsEntry("7", "1");
        assertThat(new Audit(hub.keyspace).latest(100))
                .extracting(Audit.Entry::about)
                .contains("comsrv:1:A 301: nothing to 7.5 (theirs)");
        assertThat(deadLetters()).singleElement().asString().contains("completed already");
    }

    private List<String> deadLetters() {
        return hub.keyspace.cells().list(deadLetterKey(), 0, -1).answer().or(List.of());
    }

    private static Cell.Key deadLetterKey() {
        return Rooms.catalogue().declarations().stream()
                .filter(each -> each.name().startsWith("event:queue:"))
                .map(Cell.class::cast)
                .findFirst()
                .orElseThrow()
                .of("1", "dead_letter");
    }

    @Test
    void garbage_goes_to_the_dead_letters_with_the_reason() {
        List<String> garbage =
                List.of(
                        "x",
                        "",
                        "[1]",
                        "{}",
                        "{\"point_id\":0,\"value\":1}",
                        "{\"point_id\":201}",
                        "{\"point_id\":201,\"value\":\"on\"}",
                        "{\"point_id\":201,\"value\":1,\"type\":\"T\"}",
                        "{\"point_id\":201,\"value\":1,\"channel_id\":2}",
                        "{\"point_id\":201,\"value\":1,\"cmd_id\":\"a:b\"}");
        garbage.forEach(each -> push(1, each));
        hub.keyspace
                .commit("1")
                .append(TelemetryLayouts.CONTROL_QUEUE.at("1"), new byte[] {(byte) 0xff, 0}, 10_000)
                .run()
                .orThrow();
        push(1, "{\"point_id\":999,\"value\":1,\"cmd_id\":\"nowhere\"}");
        push(1, "{\"point_id\":201,\"value\":5,\"cmd_id\":\"much\"}");
        push(1, "{\"point_id\":201,\"value\":0,\"cmd_id\":\"sound\"}");
        TestDevice device = hub.held(1);
        await().until(() -> hub.desk.find("sound").filter(Command::ended).isPresent());
        assertThat(queue(1)).isEmpty();
        assertThat(deadLetters())
                .hasSize(garbage.size() + 1)
                .allMatch(
                        each -> each.contains("\"reason\":\"") && each.contains("control:queue:1"));
        assertThat(hub.desk.find("nowhere").orElseThrow().error()).isEqualTo("UNKNOWN_POINT");
        assertThat(hub.desk.find("much").orElseThrow().error()).isEqualTo("OUT_OF_RANGE");
        assertThat(device.ordered()).containsExactly("C 201=0");
    }

    @Test
    void commands_wait_for_a_device_that_is_offline() {
        TestDevice device = hub.held(1);
        hub.online(1, false);
        assertThat(refusal(Order.of(1, "201", "1", CommandHub.ANN)))
                .isEqualTo(EmsCode.DEVICE_OFFLINE);
        Command given = hub.given(Order.of(1, "201", "1", CommandHub.ANN).mayWait(true));
        assertThat(hub.now(given).is(CommandState.PENDING)).isTrue();
        hub.online(1, true);
        await().until(() -> hub.ended(given));
        assertThat(device.ordered()).containsExactly("C 201=1");
    }

    @Test
    void another_hub_goes_on_and_says_what_is_lost() throws Exception {
        TestDevice device = hub.held(1);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        device.answering(
                order -> {
                    running.countDown();
                    awaitQuietly(go);
                    return TestDevice.done();
                });
        Command first = hub.given(1, "201", "1");
        Command second = hub.given(1, "201", "0");
        running.await();
        // The lease goes to another hub while this one still waits for its device.
        device.release();
        try (CommandHub other = new CommandHub(site.url())) {
            TestDevice next = other.held(1);
            await().until(() -> other.ended(second));
            assertThat(other.now(first).error()).isEqualTo("WORKER_LOST");
            go.countDown();
            hub.desk.holding().end(device);
            assertThat(next.ordered()).containsExactly("C 201=0");
            assertThat(device.ordered()).containsExactly("C 201=1");
            assertThat(other.now(first).error()).isEqualTo("WORKER_LOST");
            assertThat(processing(1)).isEmpty();
        }
    }

    @Test
    void a_channel_that_is_given_up_gets_nothing_more_and_its_answer_counts() throws Exception {
        TestDevice device = hub.held(1);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        device.answering(
                order -> {
                    running.countDown();
                    awaitQuietly(go);
                    return TestDevice.done();
                });
        Command first = hub.given(1, "201", "1");
        Command second = hub.given(1, "201", "0");
        running.await();
        Thread ending = Thread.startVirtualThread(() -> hub.desk.holding().end(device));
        // It waits for the answer only when it has said that nothing more is sent.
        await().until(() -> ending.getState() == Thread.State.TIMED_WAITING);
        go.countDown();
        ending.join();
        await().until(() -> hub.ended(first));
        assertThat(hub.now(first).is(CommandState.COMPLETED)).isTrue();
        assertThat(hub.now(second).is(CommandState.PENDING)).isTrue();
        hub.desk.holding().begin(device);
        await().until(() -> hub.ended(second));
        assertThat(device.ordered()).containsExactly("C 201=1", "C 201=0");
    }
}
