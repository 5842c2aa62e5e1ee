package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What is asked of a device: {@code Order.of(1, "201", "1", by).ofType(C).from("rule:night")}.
 *
 * @param type C or A; if it is not said, C where the channel has such a point, else A
 * @param value a decimal number, as people read it
 * @param by who wants it, for the audit
 * @param source such as {@code api}, {@code rule:night} or {@code model:tr_1}
 * @param id of the caller's own, so that the same order given again is executed once; else one is
 *     made
 * @param priority 1 to 9, 9 goes first
 * @param reason for people; empty if there is none
 * @param expiresAt after which it is not sent any more; else the setting says
 * @param mayWait also for a device that is offline now
 * @param batch the group that it belongs to; empty if to none
 * @param seq its place in that group
 * @param cause the id of what began it all; empty if the order itself did
 */
public record Order(
        int channel,
        Optional<PointType> type,
        String point,
        String value,
        Actor by,
        String source,
        Optional<String> id,
        int priority,
        String reason,
        Optional<Instant> expiresAt,
        boolean mayWait,
        String batch,
        int seq,
        String cause) {

    /** With all else as usual. */
    public static Order of(int channel, String point, String value, Actor by) {
        return new Order(
                channel,
                Optional.empty(),
                point,
                value,
                by,
                "api",
                Optional.empty(),
                QueueElement.STANDARD_PRIORITY,
                "",
                Optional.empty(),
                false,
                "",
                0,
                "");
    }

    /**
     * As clients write it: {@code {"point_id", "value"}} and more.
     *
     * @throws RefusedException if it cannot be one
     */
    public static Order read(int channel, ObjectNode body, Actor by, InstantSource clock) {
        return CommandBodies.order(channel, Optional.empty(), body, by, clock);
    }

    public Order ofType(PointType only) {
        return new Order(
                channel,
                Optional.of(only),
                point,
                value,
                by,
                source,
                id,
                priority,
                reason,
                expiresAt,
                mayWait,
                batch,
                seq,
                cause);
    }

    public Order from(String newSource) {
        return new Order(
                channel, type, point, value, by, newSource, id, priority, reason, expiresAt,
                mayWait, batch, seq, cause);
    }

    public Order withId(String own) {
        return new Order(
                channel,
                type,
                point,
                value,
                by,
                source,
                Optional.of(own),
                priority,
                reason,
                expiresAt,
                mayWait,
                batch,
                seq,
                cause);
    }

    public Order withPriority(int newPriority) {
        return new Order(
                channel,
                type,
                point,
                value,
                by,
                source,
                id,
                newPriority,
                reason,
                expiresAt,
                mayWait,
                batch,
                seq,
                cause);
    }

    public Order because(String newReason) {
        return new Order(
                channel, type, point, value, by, source, id, priority, newReason, expiresAt,
                mayWait, batch, seq, cause);
    }

    public Order until(Instant end) {
        return new Order(
                channel,
                type,
                point,
                value,
                by,
                source,
                id,
                priority,
                reason,
                Optional.of(end),
                mayWait,
                batch,
                seq,
                cause);
    }

    public Order mayWait(boolean may) {
        return new Order(
                channel, type, point, value, by, source, id, priority, reason, expiresAt, may,
                batch, seq, cause);
    }

    public Order inBatch(String group, int place) {
        return new Order(
                channel, type, point, value, by, source, id, priority, reason, expiresAt, mayWait,
                group, place, cause);
    }

    public Order causedBy(String first) {
        return new Order(
                channel, type, point, value, by, source, id, priority, reason, expiresAt, mayWait,
                batch, seq, first);
    }
}
