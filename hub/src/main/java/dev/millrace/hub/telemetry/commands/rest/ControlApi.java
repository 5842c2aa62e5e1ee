package dev.millrace.hub.telemetry.commands.rest;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.telemetry.commands.Command;
import dev.millrace.hub.telemetry.commands.CommandBodies;
import dev.millrace.hub.telemetry.commands.CommandState;
import dev.millrace.hub.telemetry.commands.CommandViews;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.telemetry.commands.Order;
import dev.millrace.hub.telemetry.commands.Submitted;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.Texts;
import dev.millrace.hub.work.BackOff;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Commands over HTTP, in the words and at the paths of the reference's gateway. */
final class ControlApi {
    private static final int MOST_IN_A_BATCH = 100;
    private static final int MOST_LISTED = 1000;

    /** So many of the latest commands say how soon the next one will be executed. */
    private static final int LOOKED_AT = 20;

    /** How long a client waits for all commands of a batch that go one after another. */
    private static final Duration LONGEST_BATCH = Duration.ofSeconds(60);

    private static final BackOff LOOKS =
            BackOff.doubling(Duration.ofMillis(5), Duration.ofMillis(200));

    private final Commands commands;
    private final String room;
    private final InstantSource clock;

    ControlApi(Commands commands, String room, InstantSource clock) {
        this.commands = commands;
        this.room = room;
        this.clock = clock;
    }

    void addTo(EmsRoutes routes) {
        routes.post(
                        "/api/v1/control/channels/{channel_id}/execute",
                        ordering("Orders something of a channel."),
                        this::execute)
                .get(
                        "/api/v1/control/commands/{cmd_id}/status",
                        looking("What became of a command."),
                        this::status)
                .post(
                        "/api/v1/control/batch-execute",
                        ordering(
                                "Orders several things; one after another, each when the one before"
                                        + " has ended, or all at once."),
                        this::batch)
                .get(
                        "/api/v1/control/channels/{channel_id}/history",
                        looking("The commands of a channel, newest first."),
                        this::history);
    }

    private UnaryOperator<Route.Draft> ordering(String about) {
        return route -> route.needs(Role.OPERATOR, room).about(about);
    }

    private UnaryOperator<Route.Draft> looking(String about) {
        return route -> route.needs(Role.VIEWER, room).about(about);
    }

    private EmsAnswer execute(EmsRequest request) {
        Order order =
                CommandBodies.order(
                        CommandsApi.channel(request),
                        Optional.empty(),
                        request.object(),
                        request.actor(),
                        clock);
        Command command = CommandsApi.given(commands.submit(order));
        return EmsAnswer.accepted(view(command, estimated(command)));
    }

    /** After those that wait before it, each as long as the last ones took. */
    private Instant estimated(Command command) {
        List<Command> latest = commands.latest(command.channel(), LOOKED_AT);
        long waiting = latest.stream().filter(each -> !each.ended()).count();
        double millis =
                latest.stream()
                        .mapToLong(Command::durationMillis)
                        .filter(each -> each > 0)
                        .average()
                        .orElse(0);
        return clock.instant().plusMillis((long) (waiting * millis));
    }

    private static Map<String, Object> view(Command command, Instant estimated) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("command_id", command.id());
        view.put("status", command.status());
        view.put("created_at", Texts.iso(command.given()));
        view.put("estimated_execution", Texts.iso(estimated));
        return view;
    }

    private EmsAnswer status(EmsRequest request) {
        String id = request.variable("cmd_id");
        return EmsAnswer.ok(whole(commands.find(id).orElseThrow(() -> CommandsApi.unknown(id))));
    }

    private static Map<String, Object> whole(Command command) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("command_id", command.id());
        view.putAll(CommandViews.whole(command));
        return view;
    }

    private EmsAnswer history(EmsRequest request) {
        return EmsAnswer.ok(
                request.paging()
                        .of(
                                commands.latest(CommandsApi.channel(request), MOST_LISTED),
                                ControlApi::whole));
    }

    // ---------------------------------------------------------------- batches

    private EmsAnswer batch(EmsRequest request) throws InterruptedException {
        ObjectNode body = request.object();
        String mode = CommandBodies.text(body, "execution_mode").orElse("sequential");
        if (!mode.equals("sequential") && !mode.equals("parallel")) {
            throw CommandBodies.invalid("execution_mode must be sequential or parallel.");
        }
        boolean stop = CommandBodies.flag(body, "stop_on_error", false);
        String group = "batch_" + UUID.randomUUID();
        List<Order> orders = orders(body, group, request.actor());
        List<Map<String, Object>> results = new ArrayList<>();
        boolean sequential = mode.equals("sequential");
        long end = System.nanoTime() + LONGEST_BATCH.toNanos();
        boolean stopped = false;
        for (Order order : orders) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("channel_id", order.channel());
            result.put("point_id", PointIds.point(order.point()));
            if (stopped || (sequential && System.nanoTime() - end > 0)) {
                result.put("status", "not_submitted");
            } else {
                stopped = !give(order, sequential, end, result) && stop;
            }
            results.add(result);
        }
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("batch_id", group);
        data.put("execution_mode", mode);
        data.put("commands", results);
        return EmsAnswer.accepted(data);
    }

    private List<Order> orders(ObjectNode body, String group, Actor by) {
        if (!(body.path("commands") instanceof ArrayNode list) || list.isEmpty()) {
            throw CommandBodies.invalid("commands must be a list of commands.");
        }
        if (list.size() > MOST_IN_A_BATCH) {
            throw Refused.of(
                            EmsCode.PAYLOAD_TOO_LARGE,
                            "A batch takes %d commands, not %d."
                                    .formatted(MOST_IN_A_BATCH, list.size()))
                    .exception();
        }
        List<Order> orders = new ArrayList<>();
        for (JsonNode node : list) {
            if (!(node instanceof ObjectNode command)) {
                throw CommandBodies.invalid("A command is an object.");
            }
            int channel = PointIds.channel(CommandBodies.text(command, "channel_id").orElse(""));
            if (channel == 0) {
                throw CommandBodies.invalid(
                        "channel_id must be a number from 1 to %d."
                                .formatted(PointIds.LARGEST_CHANNEL));
            }
            orders.add(
                    CommandBodies.order(channel, Optional.empty(), command, by, clock)
                            .inBatch(group, orders.size()));
        }
        return orders;
    }

    /** Whether it went well, as far as that is known now. */
    private boolean give(Order order, boolean await, long end, Map<String, Object> result)
            throws InterruptedException {
        return switch (commands.submit(order)) {
            case Submitted.Accepted(Command command) -> tell(command, await, end, result);
            case Submitted.Before(Command command) -> tell(command, await, end, result);
            case Submitted.Not(Refused why) -> {
                result.put("status", "refused");
                result.put("error", why.code().name());
                result.put("message", why.message());
                yield false;
            }
        };
    }

    private boolean tell(Command given, boolean await, long end, Map<String, Object> result)
            throws InterruptedException {
        Command command = await ? ended(given, end) : given;
        result.put("command_id", command.id());
        result.put("status", command.status());
        if (!command.error().isEmpty()) {
            result.put("error", command.error());
        }
        return !command.is(CommandState.FAILED) && (!await || command.ended());
    }

    /** The command when it has ended, or as it is when the time is over. */
    private Command ended(Command given, long end) throws InterruptedException {
        Command last = given;
        for (int look = 0; !last.ended() && System.nanoTime() - end < 0; look++) {
            TimeUnit.NANOSECONDS.sleep(LOOKS.after(Math.min(look, 10)).toNanos());
            last = commands.find(given.channel(), given.id()).orElse(last);
        }
        return last;
    }
}
