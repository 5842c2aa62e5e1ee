package dev.millrace.hub.telemetry.commands.rest;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.telemetry.commands.Cancelled;
import dev.millrace.hub.telemetry.commands.Command;
import dev.millrace.hub.telemetry.commands.CommandBodies;
import dev.millrace.hub.telemetry.commands.CommandViews;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.telemetry.commands.Order;
import dev.millrace.hub.telemetry.commands.Submitted;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Commands over HTTP, at the paths of comsrv, and at those of its gateway. */
public final class CommandsApi {
    private static final int MOST_IN_ONE = 1000;
    private static final int MOST_LISTED = 1000;

    /** Stores values of points that are not ordered but told. Thread-safe. */
    public interface PointWrites {
        /**
         * Stores them, and answers as the route for values does.
         *
         * @param type T or S
         * @param values as that route takes them
         */
        EmsAnswer write(int channel, PointType type, byte[] values);
    }

    private final Commands commands;
    private final PointWrites values;
    private final String room;
    private final InstantSource clock;

    /**
     * For these commands.
     *
     * @param room whose scope tokens need for it
     */
    public CommandsApi(Commands commands, PointWrites values, String room, InstantSource clock) {
        this.commands = commands;
        this.values = values;
        this.room = room;
        this.clock = clock;
    }

    public void addTo(EmsRoutes routes) {
        new ControlApi(commands, room, clock).addTo(routes);
        routes.post(
                        "/api/control/{channel_id}",
                        ordering("Orders a control of a channel to be 0 or 1."),
                        request -> order(request, PointType.C))
                .post(
                        "/api/adjustment/{channel_id}",
                        ordering("Orders a set point of a channel."),
                        request -> order(request, PointType.A))
                .post(
                        "/api/channels/{channel_id}/write",
                        ordering(
                                "Orders controls and set points, and stores values: one, or a list"
                                        + " of points."),
                        this::write)
                .get("/api/commands/{cmd_id}", looking("What became of a command."), this::find)
                .get(
                        "/api/channels/{channel_id}/commands",
                        looking("The commands of a channel, newest first."),
                        this::latest)
                .post(
                        "/api/commands/{cmd_id}/cancel",
                        ordering("Takes a command back that has not been sent yet."),
                        this::cancel);
    }

    private UnaryOperator<Route.Draft> ordering(String about) {
        return route -> route.needs(Role.OPERATOR, room).about(about);
    }

    private UnaryOperator<Route.Draft> looking(String about) {
        return route -> route.needs(Role.VIEWER, room).about(about);
    }

    // ---------------------------------------------------------------- giving

    private EmsAnswer order(EmsRequest request, PointType type) {
        Order order =
                CommandBodies.order(
                        channel(request),
                        Optional.of(type),
                        request.object(),
                        request.actor(),
                        clock);
        // Clients of the reference read that it was taken, and no more.
        return EmsAnswer.accepted(CommandViews.brief(given(commands.submit(order)))).orBare(true);
    }

    /** The command that it became. */
    static Command given(Submitted submitted) {
        return switch (submitted) {
            case Submitted.Accepted(Command command) -> command;
            case Submitted.Before(Command command) -> command;
            case Submitted.Not(Refused why) -> throw why.exception();
        };
    }

    // ---------------------------------------------------------------- many points

    private EmsAnswer write(EmsRequest request) {
        int channel = channel(request);
        ObjectNode body = request.object();
        JsonNode list = body.path("points");
        if (list.isMissingNode()) {
            return one(request, channel, body);
        }
        if (!(list instanceof ArrayNode points) || points.isEmpty()) {
            throw CommandBodies.invalid("points must be a list of type, id and value.");
        }
        if (points.size() > MOST_IN_ONE) {
            throw Refused.of(
                            EmsCode.PAYLOAD_TOO_LARGE,
                            "One write takes %d points, not %d."
                                    .formatted(MOST_IN_ONE, points.size()))
                    .exception();
        }
        return many(request, channel, body, points);
    }

    private EmsAnswer one(EmsRequest request, int channel, ObjectNode body) {
        PointType type = type(body);
        if (type.isRead()) {
            return values.write(channel, type, valuesOf(List.of(body)));
        }
        Order order = CommandBodies.order(channel, Optional.of(type), body, request.actor(), clock);
        return EmsAnswer.accepted(CommandViews.brief(given(commands.submit(order))));
    }

    /** What is told is stored at once, what is ordered is queued in the order of the list. */
    private EmsAnswer many(EmsRequest request, int channel, ObjectNode body, ArrayNode points) {
        Map<PointType, List<ObjectNode>> told = new LinkedHashMap<>();
        List<Order> orders = new ArrayList<>();
        for (JsonNode node : points) {
            if (!(node instanceof ObjectNode point)) {
                throw CommandBodies.invalid("A point is an object with type, id and value.");
            }
            if (point.path("type").isMissingNode() && body.has("type")) {
                point.set("type", body.path("type"));
            }
            PointType type = type(point);
            if (type.isRead()) {
                told.computeIfAbsent(type, each -> new ArrayList<>()).add(point);
            } else {
                orders.add(
                        CommandBodies.order(
                                channel, Optional.of(type), point, request.actor(), clock));
            }
        }
        Map<String, Object> data = new LinkedHashMap<>();
        int written = 0;
        List<JsonNode> rejected = new ArrayList<>();
        for (var each : told.entrySet()) {
            EmsAnswer answer = values.write(channel, each.getKey(), valuesOf(each.getValue()));
            JsonNode stored = Json.MAPPER.readTree(answer.data());
            written += stored.path("written").asInt(0);
            stored.path("rejected").forEach(rejected::add);
        }
        List<Map<String, Object>> given = orders.stream().map(this::submitted).toList();
        data.put("written", written);
        data.put("rejected", rejected);
        data.put("commands", given);
        if (written == 0 && !given.isEmpty()) {
            mustHaveTakenOne(orders, given);
        }
        return orders.isEmpty() ? EmsAnswer.ok(data) : EmsAnswer.accepted(data);
    }

    /** All of them were refused: then so is the request, for the reason of the first. */
    private static void mustHaveTakenOne(List<Order> orders, List<Map<String, Object>> given) {
        if (given.stream().noneMatch(each -> each.containsKey("cmd_id"))) {
            Map<String, Object> first = given.getFirst();
            throw Refused.of(
                            EmsCode.valueOf(String.valueOf(first.get("code"))),
                            String.valueOf(first.get("message")))
                    .with("point_id", PointIds.point(orders.getFirst().point()))
                    .exception();
        }
    }

    private Map<String, Object> submitted(Order order) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("point_id", PointIds.point(order.point()));
        switch (commands.submit(order)) {
            case Submitted.Accepted(Command command) -> view.putAll(CommandViews.brief(command));
            case Submitted.Before(Command command) -> view.putAll(CommandViews.brief(command));
            case Submitted.Not(Refused why) -> {
                view.put("code", why.code().name());
                view.put("message", why.message());
            }
        }
        return view;
    }

    private static PointType type(ObjectNode point) {
        String letter = point.path("type").asString("");
        return PointType.of(letter)
                .orElseThrow(
                        () ->
                                CommandBodies.invalid(
                                        "A type is T, S, C or A, not '%s'.".formatted(letter)));
    }

    private static byte[] valuesOf(List<ObjectNode> points) {
        ObjectNode all = Json.MAPPER.createObjectNode();
        for (ObjectNode point : points) {
            String id =
                    CommandBodies.text(point, "id")
                            .or(() -> CommandBodies.text(point, "point_id"))
                            .orElse("");
            if (all.has(id)) {
                throw CommandBodies.invalid("The point " + id + " is there twice.");
            }
            all.set(id, point.path("value"));
        }
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.set("points", all);
        return Json.write(body);
    }

    // ---------------------------------------------------------------- looking

    private EmsAnswer find(EmsRequest request) {
        String id = request.variable("cmd_id");
        return EmsAnswer.ok(CommandViews.whole(commands.find(id).orElseThrow(() -> unknown(id))));
    }

    static RefusedException unknown(String id) {
        return Refused.of(EmsCode.COMMAND_NOT_FOUND, "There is no command %s.".formatted(id))
                .exception();
    }

    private EmsAnswer latest(EmsRequest request) {
        return EmsAnswer.ok(
                request.paging()
                        .of(commands.latest(channel(request), MOST_LISTED), CommandViews::whole));
    }

    private EmsAnswer cancel(EmsRequest request) {
        return switch (commands.cancel(request.variable("cmd_id"), request.actor())) {
            case Cancelled.Done(Command command) -> EmsAnswer.ok(CommandViews.whole(command));
            case Cancelled.Not(Refused why) -> throw why.exception();
        };
    }

    static int channel(EmsRequest request) {
        String text = request.variable("channel_id");
        int channel = PointIds.channel(text);
        if (channel == 0) {
            throw Refused.of(
                            EmsCode.INVALID_PARAMETER,
                            "A channel is a number from 1 to %d, not '%s'."
                                    .formatted(PointIds.LARGEST_CHANNEL, text))
                    .exception();
        }
        return channel;
    }
}
