package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.bus.HeldChannel;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Executes the commands of one channel, one after another, as long as this hub holds it. A round:
 *
 * <ol>
 *   <li>look at the queue, and at what is being processed. As nobody but this worker processes
 *       anything, what is there was taken by somebody who has ended, and nobody knows how far that
 *       one came: it is lost, and said to be;
 *   <li>choose: what is no command goes to the dead letters, what is too late fails, and of the
 *       rest the highest priority is next, the oldest first;
 *   <li>take it, in one commit that fails if it was cancelled, taken, or the channel is not held;
 *   <li>send it, wait for the device, and record what became of it, however long Redis is away.
 * </ol>
 *
 * <p>A device that is offline gets nothing: its commands wait for it, for a moment or as long as
 * they may. Redis may lose its newest writes in an accident; so what was sent is remembered here
 * too, and not sent again if it turns up in the queue once more.
 */
final class Worker {
    private static final Logger log = LoggerFactory.getLogger(Worker.class);

    private static final Duration REST = Duration.ofMinutes(1);
    private static final Duration TROUBLE = Duration.ofMillis(200);
    private static final Duration OVERTAKEN = Duration.ofMillis(20);

    private final HeldChannel held;
    private final Tools tools;
    private final Sent sent;
    private final Sender sender;
    private final Bell bell = new Bell();
    private final Thread thread;

    private volatile boolean ending;
    private boolean troubled;
    private long offlineSince;

    Worker(HeldChannel held, Tools tools, Sent sent, Optional<Worker> before) {
        this.held = held;
        this.tools = tools;
        this.sent = sent;
        this.sender = new Sender(held, tools, sent);
        this.thread =
                Thread.ofVirtual()
                        .name("commands-" + held.channel())
                        .unstarted(
                                () -> {
                                    before.ifPresent(Worker::join);
                                    work();
                                });
    }

    void start() {
        thread.start();
    }

    /** Something waits, perhaps. */
    void wake() {
        bell.ring();
    }

    /**
     * Sends nothing any more from now on, and waits for an answer that is due, but not for long.
     */
    void end(Duration atMost) {
        ending = true;
        bell.ring();
        sender.stop(atMost);
    }

    /** Waits until all is recorded, if that can be. */
    void join() {
        try {
            thread.join(tools.patience());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        try {
            while (!ending && held.held()) {
                if (!roundOrPause()) {
                    bell.await(REST);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean roundOrPause() throws InterruptedException {
        try {
            boolean worked = round();
            troubled = false;
            return worked;
        } catch (RedisException e) {
            if (!troubled) {
                log.warn(
                        "Commands cannot be taken now. channel={} reason={}",
                        held.channel(),
                        e.getMessage());
            }
            troubled = true;
            bell.await(TROUBLE);
            return true;
        }
    }

    /** Whether there was something to do. */
    private boolean round() throws InterruptedException {
        CommandReads.Waiting now = tools.reads().waiting(held.channel());
        for (byte[] taken : now.processing()) {
            lose(taken);
        }
        List<QueueElement> elements = read(now.queue());
        Instant time = tools.clock().instant();
        boolean dropped = false;
        for (QueueElement element : elements) {
            if (element.expiresAt() != 0 && element.expiresAt() <= time.getEpochSecond()) {
                dropped |= drop(element, CommandError.EXPIRED, "It was not its turn in time.");
            }
        }
        if (dropped) {
            return true;
        }
        if (!now.online()) {
            return offline(elements);
        }
        offlineSince = 0;
        Optional<QueueElement> next = next(elements);
        if (next.isPresent() && !execute(next.get())) {
            // Somebody was faster, or the channel is not held any more: not again at once.
            bell.await(OVERTAKEN);
            return true;
        }
        // What has come meanwhile has rung.
        return elements.size() > 1;
    }

    /** The first of those with the highest priority. */
    private static Optional<QueueElement> next(List<QueueElement> elements) {
        int highest = elements.stream().mapToInt(QueueElement::priority).max().orElse(0);
        return elements.stream().filter(each -> each.priority() == highest).findFirst();
    }

    /** What is no command is taken out of the way. */
    private List<QueueElement> read(List<byte[]> queue) {
        List<QueueElement> elements = new ArrayList<>(queue.size());
        for (byte[] raw : queue) {
            switch (QueueElement.read(held.channel(), raw)) {
                case QueueElement.Read.Sound(QueueElement element) -> elements.add(element);
                case QueueElement.Read.Garbage(String reason) ->
                        tools.bury(held.channel(), raw, TelemetryLayouts.CONTROL_QUEUE, reason);
            }
        }
        return elements;
    }

    /** Those that were not given for an offline device wait only for a moment. */
    private boolean offline(List<QueueElement> elements) {
        long now = System.nanoTime();
        if (offlineSince == 0) {
            offlineSince = now;
        }
        if (now - offlineSince < tools.settings().offlineWait().toNanos()) {
            return false;
        }
        boolean dropped = false;
        for (QueueElement element : elements) {
            if (!element.mayWait()) {
                dropped |= drop(element, CommandError.DEVICE_OFFLINE, "The device is offline.");
            }
        }
        return dropped;
    }

    // ---------------------------------------------------------------- one element

    /** A command before it is taken, as far as there is a record of it. */
    private Optional<Command> recorded(QueueElement element) {
        return element.id().flatMap(id -> tools.reads().find(held.channel(), id));
    }

    /** What the record of an element will say that has none. */
    private Command unrecorded(QueueElement element) {
        Instant now = tools.clock().instant();
        String id =
                element.id().orElseGet(() -> CommandIds.make(held.channel(), now.toEpochMilli()));
        Map<String, String> fields = new HashMap<>();
        long given = element.given() == 0 ? now.getEpochSecond() : element.given();
        fields.put(Command.POINT, element.point());
        fields.put(Command.VALUE, element.value());
        fields.put(Command.STATUS, CommandState.PENDING.word());
        fields.put(Command.TIMESTAMP, Long.toString(given));
        fields.put(Command.TYPE, type(element).name());
        fields.put(Command.SOURCE, element.source());
        fields.put(Command.PRIORITY, Integer.toString(element.priority()));
        fields.put(Command.REQUESTED_BY, element.source());
        tools.reads()
                .ordered(held.channel(), type(element), element.point())
                .ifPresent(value -> fields.put(Command.PREVIOUS, value));
        if (element.expiresAt() != 0) {
            fields.put(Command.EXPIRES, Long.toString(element.expiresAt()));
        }
        return new Command(held.channel(), id, fields);
    }

    private PointType type(QueueElement element) {
        return target(element)
                .map(CommandRules.Target::type)
                .orElse(element.type().orElse(PointType.C));
    }

    private Optional<CommandRules.Target> target(QueueElement element) {
        Optional<ChannelConfiguration> channel = tools.channels().get(held.channel());
        return channel.flatMap(each -> CommandRules.target(each, element.type(), element.point()));
    }

    /** Why an element cannot be executed though it can be read; empty if it can. */
    private static Optional<String> contradiction(QueueElement element, Command record) {
        if (!record.is(CommandState.PENDING)) {
            return Optional.of(
                    "its command is %s already"
                            .formatted(record.fields().getOrDefault(Command.STATUS, "")));
        }
        boolean same =
                record.point().equals(element.point())
                        && record.value().equals(element.value())
                        && record.type().equals(element.type().or(record::type));
        return same ? Optional.empty() : Optional.of("its command says something else");
    }

    private boolean drop(QueueElement element, CommandError error, String text) {
        Optional<Command> record = recorded(element).map(each -> typed(each, element));
        Optional<String> wrong = record.flatMap(each -> contradiction(element, each));
        if (wrong.isPresent()) {
            tools.bury(held.channel(), element.raw(), TelemetryLayouts.CONTROL_QUEUE, wrong.get());
            return true;
        }
        Command before = record.orElseGet(() -> unrecorded(element));
        Command failed = Ended.failed(before, error, text, tools.clock().instant());
        Command stored = record.orElse(new Command(before.channel(), before.id(), Map.of()));
        return tools.settled(tools.writes().drop(stored, failed, element));
    }

    /** Others leave the type out of their records. */
    private Command typed(Command record, QueueElement element) {
        if (record.type().filter(each -> !each.isRead()).isPresent()) {
            return record;
        }
        Map<String, String> fields = new HashMap<>(record.fields());
        fields.put(Command.TYPE, type(element).name());
        return new Command(record.channel(), record.id(), fields);
    }

    /** Whether it was taken, or put out of the way. */
    private boolean execute(QueueElement element) throws InterruptedException {
        Optional<CommandRules.Target> target = target(element);
        if (target.isEmpty()) {
            return drop(element, CommandError.UNKNOWN_POINT, "The channel has no such point.");
        }
        Optional<String> range = CommandRules.mistake(target.get(), element.number());
        if (range.isPresent()) {
            return drop(element, CommandError.OUT_OF_RANGE, range.get());
        }
        Optional<Command> record = recorded(element);
        Optional<String> wrong =
                record.map(each -> typed(each, element))
                        .flatMap(each -> contradiction(element, each));
        if (wrong.isPresent()) {
            tools.bury(held.channel(), element.raw(), TelemetryLayouts.CONTROL_QUEUE, wrong.get());
            return true;
        }
        Command before =
                record.map(each -> typed(each, element)).orElseGet(() -> unrecorded(element));
        if (sent.has(before.id())) {
            return drop(
                    element,
                    CommandError.WORKER_LOST,
                    "It was sent before, and Redis has forgotten what became of it.");
        }
        Command stored = record.orElse(new Command(before.channel(), before.id(), Map.of()));
        Command executing = executing(before);
        // In processing everything has an id, so that whoever finds it there finds its record.
        byte[] processed =
                element.id().isPresent()
                        ? element.raw()
                        : QueueElement.of(executing, element.number(), element.mayWait());
        Outcome<Long> taken =
                tools.writes().take(stored, executing, element, processed, held.fence());
        if (taken.isStored() || foundTaken(taken, executing)) {
            sender.send(executing, element.number(), processed);
            return true;
        }
        return tools.settled(taken);
    }

    /** The answer was lost, and it is ours all the same: nobody else writes our name. */
    private boolean foundTaken(Outcome<Long> taken, Command executing) {
        return taken instanceof Outcome.Unknown
                && tools.reads()
                        .find(held.channel(), executing.id())
                        .filter(executing::equals)
                        .isPresent();
    }

    private Command executing(Command before) {
        Map<String, String> fields = new HashMap<>(before.fields());
        fields.put(Command.STATUS, CommandState.EXECUTING.word());
        fields.put(Command.STARTED, Long.toString(tools.clock().instant().getEpochSecond()));
        fields.put(Command.WORKER, tools.workerName());
        return new Command(before.channel(), before.id(), fields);
    }

    // ---------------------------------------------------------------- what others have left

    /** Somebody has taken it and not said how it ended. */
    private void lose(byte[] raw) {
        if (!(QueueElement.read(held.channel(), raw)
                instanceof QueueElement.Read.Sound(QueueElement element))) {
            tools.bury(
                    held.channel(),
                    raw,
                    TelemetryLayouts.CONTROL_PROCESSING,
                    "it is not a command");
            return;
        }
        Optional<Command> record = recorded(element);
        if (record.isEmpty() || record.get().ended()) {
            tools.writes().clear(held.channel(), raw).orThrow();
            return;
        }
        Command before = typed(record.get(), element);
        Command lost =
                Ended.failed(
                        before,
                        CommandError.WORKER_LOST,
                        "The hub that executed it has ended; the device may have done it.",
                        tools.clock().instant());
        Outcome<Long> outcome = tools.writes().lose(record.get(), lost, List.of(raw));
        if (!outcome.failedBy(Reason.CONFLICT) && !outcome.failedBy(Reason.ABSENT)) {
            outcome.orThrow();
        }
    }
}
