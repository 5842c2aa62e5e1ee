package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.bus.HeldChannel;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.work.BackOff;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends what was taken, and records how it ended. What the device has certainly not heard of may be
 * tried again, for a set point; a control is tried once, and so is whatever the device may have
 * done.
 */
final class Sender {
    private static final Logger log = LoggerFactory.getLogger(Sender.class);

    private static final int TRIES_OF_A_SET_POINT = 4;
    private static final BackOff BETWEEN_TRIES =
            BackOff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final BackOff BETWEEN_RECORDINGS =
            BackOff.doubling(Duration.ofMillis(50), Duration.ofSeconds(1));

    /** So often it is tried to record an end after this hub has been told to end itself. */
    private static final int LAST_RECORDINGS = 5;

    private final HeldChannel held;
    private final Tools tools;
    private final Sent sent;

    /** Guards the two below: nothing is ordered once it has stopped. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition change = lock.newCondition();
    private boolean stopped;
    private boolean ordering;

    Sender(HeldChannel held, Tools tools, Sent sent) {
        this.held = held;
        this.tools = tools;
        this.sent = sent;
    }

    /** From now on nothing is sent; waits for an answer that is due, but not for long. */
    void stop(Duration atMost) {
        lock.lock();
        try {
            stopped = true;
            change.signalAll();
            long left = atMost.toNanos();
            while (ordering && left > 0) {
                left = change.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends a command that was taken, and returns when it is recorded how it ended.
     *
     * @param processed what stands for it in the list of what is processed
     */
    void send(Command executing, double number, byte[] processed) throws InterruptedException {
        long start = System.nanoTime();
        sent.add(executing.id());
        PointType type = executing.type().orElseThrow();
        Ordered ordered = order(type, executing.point(), number);
        int most = type == PointType.A ? TRIES_OF_A_SET_POINT : 1;
        for (int tries = 1; tries < most && unheard(ordered); tries++) {
            if (stoppedWithin(BETWEEN_TRIES.after(tries - 1))) {
                break;
            }
            ordered = order(type, executing.point(), number);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        Command ended = Ended.by(executing, ordered, tools.clock().instant(), took);
        record(executing, ended, processed);
        tools.figures().ended(ended, took);
    }

    private static boolean unheard(Ordered ordered) {
        return ordered instanceof Ordered.NotSent(Ordered.Cause cause, String text)
                && cause == Ordered.Cause.OFFLINE;
    }

    private boolean stoppedWithin(Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = time.toNanos();
            while (!stopped && left > 0) {
                left = change.awaitNanos(left);
            }
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    private Ordered order(PointType type, String point, double number) {
        if (!begin()) {
            return new Ordered.NotSent(Ordered.Cause.OFFLINE, "The channel was given up.");
        }
        try {
            return held.write(type, point, number, tools.settings().timeout());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Ordered.NotSent(Ordered.Cause.OFFLINE, "The hub has stopped.");
        } catch (RuntimeException e) {
            log.warn("A driver has failed. channel={} point={}", held.channel(), point, e);
            return new Ordered.Unknown("The driver has failed: " + e);
        } finally {
            end();
        }
    }

    private boolean begin() {
        lock.lock();
        try {
            ordering = !stopped;
            return ordering;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            ordering = false;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---------------------------------------------------------------- recording

    /** However long Redis is away: whoever comes after this could only say that it is lost. */
    private void record(Command executing, Command ended, byte[] processed)
            throws InterruptedException {
        boolean told = false;
        for (int attempt = 0, last = 0; ; attempt++) {
            String trouble;
            try {
                Optional<String> not = recordOnce(executing, ended, processed);
                if (not.isEmpty()) {
                    return;
                }
                trouble = not.get();
            } catch (RedisException e) {
                trouble = String.valueOf(e.getMessage());
            }
            if (!told) {
                log.warn(
                        "What became of a command cannot be recorded yet. command={} status={}"
                                + " reason={}",
                        ended.id(),
                        ended.fields().get(Command.STATUS),
                        trouble);
                told = true;
            }
            if (stoppedWithin(BETWEEN_RECORDINGS.after(Math.min(attempt, 10)))) {
                last++;
                if (last > LAST_RECORDINGS) {
                    log.error(
                            "What became of a command was not recorded; it will count as lost."
                                    + " command={} status={} result={}",
                            ended.id(),
                            ended.fields().get(Command.STATUS),
                            CommandTelling.end(ended));
                    return;
                }
                TimeUnit.NANOSECONDS.sleep(BETWEEN_RECORDINGS.after(last).toNanos());
            }
        }
    }

    /** Why it is not recorded, if that may pass; empty if there is nothing more to record. */
    private Optional<String> recordOnce(Command executing, Command ended, byte[] processed) {
        Outcome<Long> outcome = tools.writes().finish(executing, ended, processed);
        if (outcome.isStored()) {
            return Optional.empty();
        }
        Optional<Command> found = tools.reads().find(ended.channel(), ended.id());
        if (found.filter(ended::equals).isPresent()) {
            return Optional.empty();
        }
        if (outcome.failedBy(Reason.CONFLICT) && found.isEmpty()) {
            // Somebody has removed the record, or Redis has lost it.
            outcome = tools.writes().finishAnew(ended, processed);
        } else if (outcome.failedBy(Reason.CONFLICT) && found.get().is(CommandState.PENDING)) {
            // Redis has lost that it was taken; it is in the queue again.
            List<byte[]> queue = tools.reads().waiting(ended.channel()).queue();
            outcome =
                    tools.writes().dropUnqueued(found.get(), ended, QueueElement.of(ended, queue));
        } else if (outcome.failedBy(Reason.CONFLICT) && found.get().ended()) {
            // Another hub took this one for dead and has said so.
            log.warn(
                    "A command ended otherwise than its record says. command={} status={}"
                            + " recorded={}",
                    ended.id(),
                    CommandTelling.end(ended),
                    found.get().fields().get(Command.STATUS));
            outcome = tools.writes().clear(ended.channel(), processed);
        }
        return switch (outcome) {
            case Outcome.Done<Long> done -> Optional.empty();
            case Outcome.Unconfirmed<Long> stored -> Optional.empty();
            case Outcome.NotDone<Long>(Reason reason, String why) -> Optional.of(why);
            case Outcome.Unknown<Long>(String why) -> Optional.of(why);
        };
    }
}
