package dev.millrace.hub.rules.running;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.alarms.Alarming;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.models.ModelOrders;
import dev.millrace.hub.notifications.Notifying;
import dev.millrace.hub.pubsub.Publishing;
import dev.millrace.hub.rules.logic.Action;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.commands.Commands;
import dev.millrace.hub.telemetry.commands.Order;
import dev.millrace.hub.telemetry.commands.Submitted;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.redis.outcome.RedisException;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The ways out of a rule, to other rooms. What goes there twice has the same id both times, so that
 * it is done once. Thread-safe.
 */
public record Ways(
        Points points,
        Commands commands,
        ModelOrders models,
        Notifying notifying,
        Publishing publishing,
        Alarming alarming) {

    /**
     * What became of an action.
     *
     * @param error empty if it was taken
     */
    record Result(String status, String error, String commandId) {
        static Result done() {
            return new Result("completed", "", "");
        }

        static Result failed(String error) {
            return new Result("failed", error, "");
        }

        boolean failed() {
            return status.equals("failed");
        }
    }

    /**
     * Does it, and waits until it is taken.
     *
     * @param origin what led to it, recorded by whoever takes it
     */
    Result go(
            String ruleId, String executionId, int number, Action.Planned planned, Origin origin) {
        String id = executionId + "-" + number;
        try {
            return switch (planned.action().kind()) {
                case COMMAND -> command(ruleId, id, planned, origin);
                case WRITE -> write(planned, origin);
                case PUBLISH -> {
                    publishing.publish(
                            planned.action().target(), id, Json.write(message(ruleId, planned)));
                    yield Result.done();
                }
                case NOTIFY -> {
                    notify(ruleId, id, planned.filled());
                    yield Result.done();
                }
                case ALARM -> alarm(ruleId, planned.filled(), origin);
                case MODEL -> action(ruleId, id, planned);
                case KEEP, EVENT, LOG -> Result.done();
            };
        } catch (IllegalArgumentException e) {
            return Result.failed(String.valueOf(e.getMessage()));
        } catch (RedisException e) {
            return Result.failed(e.reason() + ": " + e.getMessage());
        }
    }

    private Result command(String ruleId, String id, Action.Planned planned, Origin origin) {
        String[] point = planned.action().point();
        Order order =
                Order.of(
                                Integer.parseInt(point[0]),
                                point[2],
                                planned.value(),
                                new Actor("rule:" + ruleId, "rule"))
                        .ofType(PointType.valueOf(point[1]))
                        .from("rule:" + ruleId)
                        .withId(id)
                        .causedBy(origin.cause())
                        .mayWait(planned.filled().path("queue").asBoolean(false))
                        .because(planned.filled().path("reason").asString(""));
        return result(commands.submit(order));
    }

    private static Result result(Submitted submitted) {
        return switch (submitted) {
            case Submitted.Accepted(var command) -> new Result("submitted", "", command.id());
            case Submitted.Before(var command) -> new Result("submitted", "", command.id());
            case Submitted.Not(var why) -> Result.failed(why.code().name() + ": " + why.message());
        };
    }

    /** Of a model; the short form names both with a dot between them. */
    private Result action(String ruleId, String id, Action.Planned planned) {
        String target = planned.action().target();
        int dot = target.indexOf('.');
        String model = planned.filled().path("model_id").asString(target.substring(0, dot));
        String action = planned.filled().path("action").asString(target.substring(dot + 1));
        Actor by = new Actor("rule:" + ruleId, "rule");
        return result(models.order(model, action, planned.value(), by, id));
    }

    private Result write(Action.Planned planned, Origin origin) {
        String[] point = planned.action().point();
        Optional<String> why =
                points.write(
                        "comsrv:%s:%s".formatted(point[0], point[1]),
                        Map.of(point[2], planned.value()),
                        origin);
        return why.map(Result::failed).orElseGet(Result::done);
    }

    /** What is published: the message, and which rule it is of. */
    static ObjectNode message(String ruleId, Action.Planned planned) {
        ObjectNode filled = planned.filled();
        ObjectNode message = Json.MAPPER.createObjectNode();
        message.put("rule_id", ruleId);
        message.set(
                "message",
                filled.path(
                                filled.has("message")
                                        ? "message"
                                        : filled.has("payload") ? "payload" : "data")
                        .deepCopy());
        return message;
    }

    private void notify(String ruleId, String id, ObjectNode filled) {
        String level = filled.path("level").asString("info").toLowerCase(Locale.ROOT);
        List<String> labels = new ArrayList<>(List.of("rule", ruleId));
        notifying.tell(
                id, "rules", level.equals("critical"), filled.path("message").asString(""), labels);
    }

    private Result alarm(String ruleId, ObjectNode filled, Origin origin) {
        String id = "rule." + ruleId;
        boolean clears =
                filled.path("clear").asBoolean(false)
                        || filled.path("action").asString("").equals("clear");
        Optional<String> why =
                clears
                        ? alarming.clear(id, "rule:" + ruleId)
                        : alarming.raise(
                                id,
                                filled.path("level").asString("Warning"),
                                filled.path("title").asString(ruleId),
                                filled.path("description").asString(""),
                                "rule:" + ruleId,
                                origin);
        return why.map(Result::failed).orElseGet(Result::done);
    }
}
