package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Orders as clients write them, in JSON. What cannot be one is refused with a sentence. */
public final class CommandBodies {
    private static final double SECONDS_FROM_NOW_UNTIL = 1e8;

    private CommandBodies() {}

    /**
     * An order of {@code {"point_id", "value"}} and more.
     *
     * @param type the one that the path says; empty if the body may say it
     */
    public static Order order(
            int channel, Optional<PointType> type, ObjectNode body, Actor by, InstantSource clock) {
        String point = text(body, "point_id").or(() -> text(body, "id")).orElse("");
        if (PointIds.point(point) == 0) {
            throw invalid("point_id must be a number from 1 to 4294967295.");
        }
        String value =
                QueueElement.value(body.path("value"))
                        .orElseThrow(() -> invalid("value must be a number."));
        Order order = Order.of(channel, point, value, by);
        Optional<PointType> wanted = type.or(() -> type(body));
        if (wanted.isPresent()) {
            order = order.ofType(wanted.get());
        }
        Optional<String> id = text(body, "cmd_id").or(() -> text(body, "command_id"));
        if (id.isPresent()) {
            order = order.withId(id.get());
        }
        JsonNode priority = body.path("priority");
        if (!missing(priority)) {
            if (!priority.isIntegralNumber()) {
                throw invalid("priority must be a number from 1 to 9; 9 goes first.");
            }
            order = order.withPriority(priority.asInt(0));
        }
        Optional<Instant> end =
                end(body, "expires_at", clock).or(() -> end(body, "expire_time", clock));
        if (end.isPresent()) {
            order = order.until(end.get());
        }
        return order.because(text(body, "reason").orElse("")).mayWait(mayWait(body));
    }

    /**
     * With {@code queue} also for a device that is offline; so without its {@code safety_check}.
     */
    private static boolean mayWait(ObjectNode body) {
        return flag(body, "queue", false) || !flag(body, "safety_check", true);
    }

    public static boolean flag(ObjectNode body, String name, boolean standard) {
        JsonNode node = body.path(name);
        if (missing(node)) {
            return standard;
        }
        if (!node.isBoolean()) {
            throw invalid(name + " must be true or false.");
        }
        return node.booleanValue();
    }

    /** In the words of several versions of the reference; empty if any will do. */
    private static Optional<PointType> type(ObjectNode body) {
        String word = text(body, "type").or(() -> text(body, "command_type")).orElse("set_value");
        return switch (word) {
            case "C", "control" -> Optional.of(PointType.C);
            case "A", "adjustment" -> Optional.of(PointType.A);
            case "set_value" -> Optional.empty();
            default ->
                    throw invalid(
                            "The type of a command is C or control, A or adjustment, or set_value,"
                                    + " not '%s'.".formatted(word));
        };
    }

    /** A text or a number as a text. */
    public static Optional<String> text(ObjectNode body, String name) {
        JsonNode node = body.path(name);
        if (missing(node)) {
            return Optional.empty();
        }
        if (node.isString() || node.isIntegralNumber()) {
            return Optional.of(node.asString());
        }
        throw invalid(name + " must be a text.");
    }

    /** ISO 8601, or a number: seconds from now if it is small, else since 1970, also in ms. */
    private static Optional<Instant> end(ObjectNode body, String name, InstantSource clock) {
        JsonNode node = body.path(name);
        if (missing(node)) {
            return Optional.empty();
        }
        double number = node.isNumber() ? node.doubleValue() : Numbers.parse(node.asString(""));
        if (number >= 0 && number < SECONDS_FROM_NOW_UNTIL) {
            return Optional.of(clock.instant().plusMillis((long) (number * 1000)));
        }
        long second = CommandIds.asSecond(number);
        if (second != 0) {
            return Optional.of(Instant.ofEpochSecond(second));
        }
        try {
            return Optional.of(OffsetDateTime.parse(node.asString("")).toInstant());
        } catch (DateTimeException e) {
            throw invalid(
                    name
                            + " must be a time in ISO 8601, in seconds or ms since 1970, or seconds"
                            + " from now.");
        }
    }

    private static boolean missing(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    public static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.VALIDATION_ERROR, sentence).exception();
    }
}
