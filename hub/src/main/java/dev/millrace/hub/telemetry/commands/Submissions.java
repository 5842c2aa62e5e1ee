package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Takes orders, and takes them back: what is wrong with one is said before anything changes. */
final class Submissions {
    private static final int ATTEMPTS = 16;
    private static final int LONGEST_TEXT = 500;

    private final ChannelBook channels;
    private final CommandReads reads;
    private final CommandWrites writes;
    private final InstantSource clock;
    private final Duration queueWait;

    /** Told the channel for which something waits now. */
    private final IntConsumer bell;

    Submissions(
            ChannelBook channels,
            CommandReads reads,
            CommandWrites writes,
            InstantSource clock,
            Duration queueWait,
            IntConsumer bell) {
        this.channels = channels;
        this.reads = reads;
        this.writes = writes;
        this.clock = clock;
        this.queueWait = queueWait;
        this.bell = bell;
    }

    // ---------------------------------------------------------------- giving

    Submitted submit(Order order) {
        Optional<ChannelConfiguration> channel = channels.get(order.channel());
        if (channel.isEmpty()) {
            return not(
                    EmsCode.CHANNEL_NOT_FOUND,
                    "Channel %d is not configured.".formatted(order.channel()));
        }
        Optional<CommandRules.Target> target =
                CommandRules.target(channel.get(), order.type(), order.point());
        if (target.isEmpty()) {
            return not(EmsCode.POINT_NOT_FOUND, noPoint(order));
        }
        double number = Numbers.parse(order.value());
        Optional<Refused> mistake = mistake(order, target.get(), number);
        if (mistake.isPresent()) {
            return new Submitted.Not(mistake.get());
        }
        return submit(order, target.get().type(), number);
    }

    private static String noPoint(Order order) {
        return "Channel %d has no point %s of type %s."
                .formatted(
                        order.channel(),
                        order.point(),
                        order.type().map(PointType::name).orElse("C or A"));
    }

    private static Optional<Refused> mistake(
            Order order, CommandRules.Target target, double number) {
        if (!Double.isFinite(number)) {
            return Optional.of(Refused.of(EmsCode.VALIDATION_ERROR, "value must be a number."));
        }
        Optional<String> range = CommandRules.mistake(target, number);
        if (range.isPresent()) {
            return Optional.of(
                    Refused.of(EmsCode.VALIDATION_ERROR, range.get())
                            .with("error", CommandError.OUT_OF_RANGE.name()));
        }
        if (order.priority() < 1 || order.priority() > QueueElement.HIGHEST_PRIORITY) {
            return Optional.of(
                    Refused.of(
                            EmsCode.VALIDATION_ERROR,
                            "priority must be a number from 1 to 9; 9 goes first."));
        }
        if (order.id().isEmpty()) {
            return Optional.empty();
        }
        String id = order.id().get();
        if (CommandIds.isReserved(id)) {
            return Optional.of(
                    Refused.of(
                            EmsCode.RESERVED_ID,
                            "%s cannot be the id of a command.".formatted(id)));
        }
        return CommandIds.canBe(id)
                ? Optional.empty()
                : Optional.of(
                        Refused.of(
                                EmsCode.VALIDATION_ERROR,
                                "cmd_id has letters, digits and _ . -, begins with a letter or"
                                        + " digit, and is at most 128 characters long."));
    }

    private Submitted submit(Order order, PointType type, double number) {
        Instant now = clock.instant();
        String id =
                order.id().orElseGet(() -> CommandIds.make(order.channel(), now.toEpochMilli()));
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            CommandReads.Ground ground = reads.ground(order.channel(), type, order.point(), id);
            if (ground.before().isPresent()) {
                return before(ground.before().get(), order, type, number);
            }
            Optional<Command> elsewhere = elsewhere(ground, order, id);
            if (elsewhere.isPresent()) {
                return before(elsewhere.get(), order, type, number);
            }
            if (!ground.online() && !order.mayWait()) {
                return not(
                        EmsCode.DEVICE_OFFLINE,
                        "Channel %d is not online; with \"queue\":true the command waits for it."
                                .formatted(order.channel()));
            }
            if (ground.waiting() >= CommandWrites.MOST_WAITING) {
                return not(
                        EmsCode.QUEUE_FULL,
                        "%d commands wait for channel %d already."
                                .formatted(ground.waiting(), order.channel()));
            }
            Command pending = pending(order, type, id, now, ground.previous());
            List<Cell.Key> online =
                    order.mayWait()
                            ? List.of()
                            : List.of(
                                    TelemetryLayouts.STATUS.at(Integer.toString(order.channel())));
            byte[] element = QueueElement.of(pending, number, order.mayWait());
            boolean chosen = order.id().isPresent() && ground.elsewhere() == 0;
            Outcome<Long> outcome = writes.submit(pending, element, online, chosen, order.by());
            if (outcome.isStored()) {
                outcome.orThrow();
                bell.accept(order.channel());
                return new Submitted.Accepted(pending);
            }
            if (outcome instanceof Outcome.Unknown
                    && reads.find(order.channel(), id).filter(pending::equals).isPresent()) {
                bell.accept(order.channel());
                return new Submitted.Accepted(pending);
            }
            if (!outcome.failedBy(Reason.CONFLICT) && !outcome.failedBy(Reason.DUPLICATE)) {
                outcome.orThrow();
            }
        }
        throw new RedisException(
                Reason.UNAVAILABLE, "The channel changes all the time; try again.");
    }

    /** The command of another channel that has this id. */
    private Optional<Command> elsewhere(CommandReads.Ground ground, Order order, String id) {
        return ground.elsewhere() == 0 || ground.elsewhere() == order.channel()
                ? Optional.empty()
                : reads.find(ground.elsewhere(), id);
    }

    private Command pending(
            Order order, PointType type, String id, Instant now, Optional<String> previous) {
        Map<String, String> fields = new HashMap<>();
        fields.put(Command.POINT, order.point());
        fields.put(Command.VALUE, order.value());
        fields.put(Command.STATUS, CommandState.PENDING.word());
        fields.put(Command.TIMESTAMP, Long.toString(now.getEpochSecond()));
        fields.put(Command.TYPE, type.name());
        fields.put(Command.SOURCE, cut(order.source()));
        fields.put(Command.PRIORITY, Integer.toString(order.priority()));
        fields.put(Command.REQUESTED_BY, cut(order.by().who()));
        Instant end = order.expiresAt().orElse(now.plus(queueWait));
        fields.put(Command.EXPIRES, Long.toString(end.getEpochSecond()));
        previous.ifPresent(value -> fields.put(Command.PREVIOUS, value));
        if (!order.reason().isEmpty()) {
            fields.put(Command.REASON, cut(order.reason()));
        }
        if (!order.batch().isEmpty()) {
            fields.put(Command.BATCH, order.batch());
            fields.put(Command.SEQ, Integer.toString(order.seq()));
        }
        if (!order.cause().isEmpty()) {
            fields.put(Command.CAUSE, cut(order.cause()));
        }
        return new Command(order.channel(), id, fields);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }

    /** The same order again is not executed again; another one under the same id is a mistake. */
    private static Submitted before(Command before, Order order, PointType type, double number) {
        boolean same =
                before.channel() == order.channel()
                        && before.type().filter(type::equals).isPresent()
                        && before.point().equals(order.point())
                        && Numbers.parse(before.value()) == number;
        return same
                ? new Submitted.Before(before)
                : new Submitted.Not(
                        Refused.of(
                                        EmsCode.COMMAND_CONFLICT,
                                        "%s is the id of another command already."
                                                .formatted(before.id()))
                                .with("channel_id", before.channel())
                                .with("point_id", PointIds.point(before.point()))
                                .with("value", before.value())
                                .with("status", before.fields().getOrDefault("status", "")));
    }

    private static Submitted not(EmsCode code, String why) {
        return new Submitted.Not(Refused.of(code, why));
    }

    // ---------------------------------------------------------------- taking back

    Cancelled cancel(String id, Actor by) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Command> found = reads.find(id);
            if (found.isEmpty()) {
                return new Cancelled.Not(
                        Refused.of(EmsCode.COMMAND_NOT_FOUND, "There is no command " + id + "."));
            }
            Command before = found.get();
            if (!before.is(CommandState.PENDING) || before.type().isEmpty()) {
                String status = before.fields().getOrDefault(Command.STATUS, "");
                return new Cancelled.Not(
                        Refused.of(
                                        EmsCode.INVALID_STATE,
                                        "Only what is pending can be cancelled; the command is %s."
                                                .formatted(status))
                                .with("status", status));
            }
            Command cancelled =
                    Ended.failed(before, CommandError.CANCELLED, "by " + by.who(), clock.instant());
            Outcome<Long> outcome = writes.cancel(before, cancelled, elementsOf(before), by);
            if (outcome.isStored()) {
                outcome.orThrow();
                return new Cancelled.Done(cancelled);
            }
            if (outcome instanceof Outcome.Unknown
                    && reads.find(before.channel(), id).filter(cancelled::equals).isPresent()) {
                return new Cancelled.Done(cancelled);
            }
            if (!outcome.failedBy(Reason.CONFLICT)) {
                outcome.orThrow();
            }
        }
        throw new RedisException(Reason.UNAVAILABLE, "The command changes all the time.");
    }

    /** What stands in the queue for a command. */
    List<byte[]> elementsOf(Command command) {
        return QueueElement.of(command, reads.waiting(command.channel()).queue());
    }
}
