package dev.millrace.hub.telemetry.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.schedule.Schedule;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Ends commands whose time is over and that nobody ends: because no hub holds their channel, or
 * because they have gone from the queue without having been taken. One hub of the site does it.
 */
final class Expiries implements AutoCloseable {
    private static final String NAME = "commands";
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int MOST = 200;

    private final Submissions submissions;
    private final CommandReads reads;
    private final CommandWrites writes;
    private final CommandSettings settings;
    private final InstantSource clock;
    private final Schedule ends;
    private final Duty duty;

    Expiries(
            Keyspace keyspace,
            Submissions submissions,
            CommandReads reads,
            CommandWrites writes,
            CommandSettings settings,
            MeterRegistry figures,
            InstantSource clock) {
        this.submissions = submissions;
        this.reads = reads;
        this.writes = writes;
        this.settings = settings;
        this.clock = clock;
        this.ends = schedule(keyspace);
        this.duty = Duty.start(keyspace, "commands-expiry", figures, this::step);
    }

    static Schedule schedule(Keyspace keyspace) {
        return keyspace.schedule(NAME);
    }

    private Duration step(Duty.Turn turn) {
        List<Schedule.Claim> due = ends.claim(MOST, LEASE);
        for (Schedule.Claim claim : due) {
            if (!turn.mine()) {
                break;
            }
            handle(claim);
        }
        return due.size() == MOST ? Duration.ZERO : LOOK;
    }

    private void handle(Schedule.Claim claim) {
        String channel = new String(claim.body(), UTF_8);
        String id = claim.id().substring(claim.id().indexOf(':') + 1);
        Optional<Command> command =
                PointIds.channel(channel) == 0
                        ? Optional.empty()
                        : reads.find(PointIds.channel(channel), id);
        boolean over = command.isEmpty() || command.get().ended() || end(command.get());
        if (over) {
            claim.commit().with(claim.done()).run();
        } else {
            long later = clock.instant().plus(settings.timeout()).toEpochMilli();
            claim.commit().with(claim.again(later, claim.body())).run();
        }
    }

    /** Whether there is nothing more to do for it. */
    private boolean end(Command command) {
        if (command.type().isEmpty()) {
            return true;
        }
        Instant now = clock.instant();
        if (command.is(CommandState.PENDING)) {
            Command failed =
                    Ended.failed(
                            command, CommandError.EXPIRED, "It was not its turn in time.", now);
            List<byte[]> elements = submissions.elementsOf(command);
            return stored(writes.dropUnqueued(command, failed, elements));
        }
        // Being executed now, or forgotten: then it is not among what is processed either.
        List<byte[]> processing = reads.waiting(command.channel()).processing();
        boolean processed = !QueueElement.of(command, processing).isEmpty();
        if (processed || !command.is(CommandState.EXECUTING)) {
            return false;
        }
        Command lost =
                Ended.failed(
                        command,
                        CommandError.WORKER_LOST,
                        "Who executed it has not said what became of it.",
                        now);
        return stored(writes.lose(command, lost, List.of()));
    }

    private static boolean stored(Outcome<Long> outcome) {
        if (outcome.failedBy(Reason.CONFLICT)) {
            return false;
        }
        outcome.orThrow();
        return true;
    }

    @Override
    public void close() {
        duty.close();
    }
}
