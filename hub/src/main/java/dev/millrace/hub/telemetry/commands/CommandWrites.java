package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Audit;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.WorkQueue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.schedule.Schedule;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The steps of a command, each one commit: its record, the mirror of what was ordered, the queue,
 * what was told, and what other rooms add.
 *
 * <pre>
 * submit   pending, at the end of the queue                    record must be absent
 * take     executing, moved from the queue to processing       record must be pending, fence held
 * finish   completed or failed, out of processing              record must be executing, by the same
 * drop     failed without having been sent, out of the queue   record must be pending
 * lose     failed, because who executed it is gone             record must be executing, fence held
 * </pre>
 *
 * <p>What may be sent to a device is only what {@link #take} has taken, and no step leads back from
 * there; so nothing is ever sent twice, whoever ends when. Each step says in the record what it
 * found there, so it may be sent again when its answer was lost: the second time it finds its own
 * work. Thread-safe.
 */
final class CommandWrites {
    /** So many wait for one device. */
    static final int MOST_WAITING = 1000;

    private static final int MOST_PROCESSING = 100;
    private static final int MOST_LATEST = 2000;
    private static final String MIRROR_STATUS = "_status";
    private static final String MIRROR_TIME = "_updated_at";

    private final Keyspace keyspace;
    private final CommandTelling telling;
    private final Audit audit;
    private final Schedule ends;
    private final Duration keep;
    private final List<Companion> companions = new CopyOnWriteArrayList<>();

    CommandWrites(Keyspace keyspace, CommandTelling telling, Schedule ends, Duration keep) {
        this.keyspace = keyspace;
        this.telling = telling;
        this.audit = new Audit(keyspace);
        this.ends = ends;
        this.keep = keep;
    }

    void companions(List<Companion> all) {
        companions.addAll(all);
    }

    /** Whose action it is, and from where. */
    private static Actor actor(Command command) {
        return new Actor(command.requestedBy(), command.source());
    }

    // ---------------------------------------------------------------- steps

    /**
     * Puts a new command into the queue. DUPLICATE if there is one with this id; CONFLICT if the
     * queue is full or a condition does not hold.
     *
     * @param status of the channel, which must be online; empty if it need not be
     * @param chosen whether its channel is to be kept, as its id does not say it
     */
    Outcome<Long> submit(
            Command pending, byte[] element, List<Cell.Key> status, boolean chosen, Actor by) {
        String channel = owner(pending);
        if (chosen && !keyspace.liveTogether(channel, pending.id())) {
            Commit claim = keyspace.commit(pending.id());
            claim(claim, pending);
            Outcome<Long> claimed = claim.twice().run();
            if (!claimed.isStored()) {
                return claimed;
            }
        }
        Commit commit =
                keyspace.commit(channel)
                        .absent(record(pending))
                        .with(
                                WorkQueue.at(TelemetryLayouts.CONTROL_QUEUE.at(channel))
                                        .shorterThan(MOST_WAITING));
        status.forEach(key -> commit.fieldEquals(key, "online", "true"));
        if (chosen && keyspace.liveTogether(channel, pending.id())) {
            claim(commit.acrossOwners(), pending);
        }
        commit.setFields(record(pending), pending.fields());
        mirror(commit, pending, true);
        commit.append(TelemetryLayouts.CONTROL_QUEUE.at(channel), element, MOST_WAITING);
        latest(commit, pending);
        pending.expiresAt()
                .ifPresent(
                        end ->
                                commit.with(
                                        ends.item(
                                                dueId(pending),
                                                end.toEpochMilli(),
                                                channel.getBytes(StandardCharsets.UTF_8))));
        telling.tell(commit, pending, CommandTelling.GIVEN, true);
        audit.carry(commit, by, "command given", about(pending), pending.source());
        companions.forEach(each -> each.step(pending, commit));
        return commit.twice().run();
    }

    /** No other channel has a command with this id. */
    private static void claim(Commit commit, Command command) {
        Cell.Key key = TelemetryLayouts.COMMAND_CHANNEL.at(command.id());
        commit.absent(key).set(key, owner(command));
    }

    /**
     * Takes what is to be sent next.
     *
     * @param before without a field if there is no record yet
     * @param processed what stands for it in the list of what is processed
     * @param fence of whoever holds the channel
     */
    Outcome<Long> take(
            Command before,
            Command executing,
            QueueElement element,
            byte[] processed,
            Addition fence) {
        boolean fresh = before.fields().isEmpty();
        return fallingBack(
                whole -> {
                    Commit commit = leaving(executing, element, fresh).with(fence);
                    String channel = owner(executing);
                    Cell.Key processing = TelemetryLayouts.CONTROL_PROCESSING.at(channel);
                    // One at a time: what is there already was somebody's who has gone.
                    commit.with(WorkQueue.at(processing).shorterThan(1))
                            .setFields(record(executing), changed(before, executing))
                            .append(processing, processed, MOST_PROCESSING);
                    if (fresh) {
                        recordedLate(commit, executing, whole);
                    }
                    telling.tell(commit, executing, CommandTelling.STARTED, whole);
                    companions(commit, executing, whole);
                    return commit;
                });
    }

    /** Records how a command that was taken has ended. */
    Outcome<Long> finish(Command before, Command ended, byte[] element) {
        return fallingBack(
                whole -> {
                    Cell.Key processing = TelemetryLayouts.CONTROL_PROCESSING.at(owner(ended));
                    Commit commit =
                            keyspace.commit(owner(ended))
                                    .fieldEquals(
                                            record(ended),
                                            Command.STATUS,
                                            CommandState.EXECUTING.word())
                                    .fieldEquals(
                                            record(ended),
                                            Command.WORKER,
                                            ended.fields().getOrDefault(Command.WORKER, ""))
                                    .with(WorkQueue.at(processing).without(element));
                    end(commit, before, ended, whole);
                    return commit;
                });
    }

    /** The same when somebody has removed or changed its record meanwhile. */
    Outcome<Long> finishAnew(Command ended, byte[] element) {
        return fallingBack(
                whole -> {
                    Cell.Key processing = TelemetryLayouts.CONTROL_PROCESSING.at(owner(ended));
                    Commit commit =
                            keyspace.commit(owner(ended))
                                    .absent(record(ended))
                                    .with(WorkQueue.at(processing).without(element));
                    end(commit, new Command(ended.channel(), ended.id(), Map.of()), ended, whole);
                    return commit;
                });
    }

    /** Records that a command will not be sent, and takes it out of the queue. */
    Outcome<Long> drop(Command before, Command failed, QueueElement element) {
        boolean fresh = before.fields().isEmpty();
        return fallingBack(
                whole -> {
                    Commit commit = leaving(failed, element, fresh);
                    if (fresh) {
                        recordedLate(commit, failed, whole);
                    }
                    end(commit, before, failed, whole);
                    return commit;
                });
    }

    /**
     * The same of a command whose element is not in the queue, or may be.
     *
     * @param element to be taken out; empty if none was found
     */
    Outcome<Long> dropUnqueued(Command before, Command failed, List<byte[]> element) {
        return dropUnqueued(before, failed, element, actor(failed));
    }

    /** The same because somebody has taken it back. */
    Outcome<Long> cancel(Command before, Command cancelled, List<byte[]> element, Actor by) {
        return dropUnqueued(before, cancelled, element, by);
    }

    private Outcome<Long> dropUnqueued(
            Command before, Command failed, List<byte[]> element, Actor by) {
        return fallingBack(
                whole -> {
                    Commit commit =
                            keyspace.commit(owner(failed))
                                    .fieldEquals(
                                            record(failed),
                                            Command.STATUS,
                                            CommandState.PENDING.word());
                    WorkQueue queue =
                            WorkQueue.at(TelemetryLayouts.CONTROL_QUEUE.at(owner(failed)));
                    element.forEach(each -> commit.with(queue.without(each)));
                    end(commit, before, failed, whole, by);
                    return commit;
                });
    }

    /**
     * Records that nobody knows what became of a command.
     *
     * @param before as it was read
     * @param element to be taken out of processing; empty if none was found
     */
    Outcome<Long> lose(Command before, Command failed, List<byte[]> element) {
        return fallingBack(
                whole -> {
                    Commit commit =
                            keyspace.commit(owner(failed))
                                    .fieldEquals(
                                            record(failed),
                                            Command.STATUS,
                                            before.fields().getOrDefault(Command.STATUS, ""));
                    WorkQueue taken =
                            WorkQueue.at(TelemetryLayouts.CONTROL_PROCESSING.at(owner(failed)));
                    element.forEach(each -> commit.with(taken.has(each)).with(taken.without(each)));
                    end(commit, before, failed, whole);
                    return commit;
                });
    }

    /** Takes an element away whose command is known to have ended. */
    Outcome<Long> clear(int channel, byte[] element) {
        String owner = Integer.toString(channel);
        Cell.Key processing = TelemetryLayouts.CONTROL_PROCESSING.at(owner);
        return keyspace.commit(owner).with(WorkQueue.at(processing).without(element)).twice().run();
    }

    /** Moves what is not a command from the queue, or from processing, to the dead letters. */
    Outcome<Long> bury(int channel, byte[] element, Cell list, String reason) {
        String owner = Integer.toString(channel);
        Cell.Key from = list.at(owner);
        WorkQueue queue = WorkQueue.at(from);
        Commit commit =
                keyspace.commit(owner).with(queue.has(element)).with(queue.without(element));
        telling.bury(commit, owner, from.key(), element, reason);
        return commit.twice().run();
    }

    // ---------------------------------------------------------------- what steps have in common

    /** Out of the queue, if it is there and its record is as the element says. */
    private Commit leaving(Command after, QueueElement element, boolean fresh) {
        WorkQueue queue = WorkQueue.at(TelemetryLayouts.CONTROL_QUEUE.at(owner(after)));
        Commit commit = keyspace.commit(owner(after));
        if (fresh) {
            commit.absent(record(after));
        } else {
            commit.fieldEquals(record(after), Command.STATUS, CommandState.PENDING.word())
                    .fieldEquals(record(after), Command.POINT, element.point())
                    .fieldEquals(record(after), Command.VALUE, element.value());
        }
        return commit.with(queue.has(element.raw())).with(queue.without(element.raw()));
    }

    /** Somebody has put it into the queue without a record. */
    private void recordedLate(Commit commit, Command command, boolean whole) {
        Map<String, String> given = new HashMap<>(command.fields());
        given.put(Command.STATUS, CommandState.PENDING.word());
        Command pending = new Command(command.channel(), command.id(), given);
        if (whole) {
            mirror(commit, pending, true);
        }
        latest(commit, pending);
        telling.tell(commit, pending, CommandTelling.GIVEN, whole);
        audit.carry(commit, actor(pending), "command given", about(pending), pending.source());
        companions(commit, pending, whole);
    }

    private void end(Commit commit, Command before, Command ended, boolean whole) {
        end(commit, before, ended, whole, actor(ended));
    }

    private void end(Commit commit, Command before, Command ended, boolean whole, Actor by) {
        commit.setFields(record(ended), changed(before, ended))
                .expire(record(ended), keep)
                .with(ends.without(dueId(ended)));
        if (whole) {
            mirror(commit, ended, false);
        }
        telling.tell(commit, ended, CommandTelling.of(ended), whole);
        String what =
                ended.error().equals(CommandError.CANCELLED.name())
                        ? "command cancelled"
                        : "command ended";
        audit.carry(commit, by, what, about(ended), CommandTelling.end(ended));
        if (whole) {
            telling.audit(commit, ended, by.who());
        }
        companions(commit, ended, whole);
    }

    private static Map<String, String> changed(Command before, Command after) {
        Map<String, String> changed = new HashMap<>(after.fields());
        before.fields().forEach(changed::remove);
        return changed;
    }

    private void companions(Commit commit, Command after, boolean whole) {
        if (whole) {
            companions.forEach(each -> each.step(after, commit));
        }
    }

    /** What was ordered last; while it is executed it stays pending. */
    private static void mirror(Commit commit, Command command, boolean withValue) {
        Cell.Key key = mirror(command);
        Map<String, String> fields = new HashMap<>();
        fields.put(MIRROR_STATUS, command.fields().getOrDefault(Command.STATUS, ""));
        if (withValue) {
            fields.put(command.point(), command.value());
        }
        String at = command.fields().get(withValue ? Command.TIMESTAMP : Command.FINISHED);
        commit.setFields(key, fields).raiseField(key, MIRROR_TIME, CommandTelling.second(at));
    }

    private void latest(Commit commit, Command command) {
        Cell.Key latest = TelemetryLayouts.LATEST_COMMANDS.at(owner(command));
        commit.push(latest, command.id().getBytes(StandardCharsets.UTF_8), MOST_LATEST)
                .expire(latest, keep.multipliedBy(2));
    }

    private interface Step {
        Commit with(boolean whole);
    }

    /**
     * What somebody has put in place of a mirror or an event keeps no command from ending: then the
     * step is made without them.
     */
    private static Outcome<Long> fallingBack(Step step) {
        Outcome<Long> outcome = step.with(true).twice().run();
        return outcome.failedBy(Reason.WRONG_TYPE) ? step.with(false).twice().run() : outcome;
    }

    // ---------------------------------------------------------------- names

    private static String owner(Command command) {
        return Integer.toString(command.channel());
    }

    static Cell.Key record(Command command) {
        return TelemetryLayouts.COMMAND.at(owner(command), command.id());
    }

    static Cell.Key mirror(Command command) {
        return TelemetryLayouts.values(command.type().orElseThrow()).at(owner(command));
    }

    static String dueId(Command command) {
        return command.channel() + ":" + command.id();
    }

    /** For the audit: what was to be changed, from what to what. */
    private static String about(Command command) {
        return "%s %s: %s to %s (%s)"
                .formatted(
                        mirror(command).key(),
                        command.point(),
                        command.fields().getOrDefault(Command.PREVIOUS, "nothing"),
                        command.value(),
                        command.id());
    }
}
