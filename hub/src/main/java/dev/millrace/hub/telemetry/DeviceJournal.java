package dev.millrace.hub.telemetry;

import dev.millrace.hub.telemetry.bus.Heard;
import dev.millrace.hub.telemetry.bus.HeldChannel;
import dev.millrace.hub.telemetry.bus.Journal;
import dev.millrace.hub.telemetry.bus.Tally;
import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.ChannelStatus;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What devices say goes the way of every value: one commit with the alarms that it raises. It
 * carries the fence of the channel's lease, so a hub that stood still cannot put old values over
 * new ones; and it goes by the index of the points, so it never brings back a channel that was
 * deleted meanwhile.
 */
final class DeviceJournal implements Journal {
    private static final int ATTEMPTS = 4;
    private static final long MILLIS_PER_SECOND = 1000;
    private static final Logger log = LoggerFactory.getLogger(DeviceJournal.class);

    private final ChannelBook book;
    private final Values values;
    private final ValueWrites writes;
    private final ChannelHealth health;
    private final InstantSource clock;
    private final Seldom seldom = new Seldom();

    /** Points whose values are known to be bad here, by channel; each of one driver's thread. */
    private final Map<Integer, Map<PointType, Set<String>>> missed = new ConcurrentHashMap<>();

    DeviceJournal(
            ChannelBook book,
            Values values,
            ValueWrites writes,
            ChannelHealth health,
            InstantSource clock) {
        this.book = book;
        this.values = values;
        this.writes = writes;
        this.health = health;
        this.clock = clock;
    }

    @Override
    public void heard(HeldChannel held, Heard heard, Tally tally) {
        Optional<Channel.Guard> guard = guard(held);
        if (guard.isEmpty()) {
            return;
        }
        Channel channel = noted(held, tally);
        List<CompletableFuture<WriteResult>> sent = new ArrayList<>(2);
        heard.values()
                .forEach((type, read) -> sent.add(values.write(channel.id, type, read, guard)));
        for (CompletableFuture<WriteResult> each : sent) {
            switch (each.join()) {
                case WriteResult.Done done -> {}
                case WriteResult.Failed(Outcome<Long> outcome) -> failed(channel, outcome);
            }
        }
        try {
            if (sent.isEmpty()) {
                failed(channel, writes.counted(channel, true, guard.get()));
            }
            doubt(channel, heard, guard.get());
        } catch (RedisException e) {
            failed(channel, Outcome.failed(e));
        }
    }

    /** What could be read the last time, and cannot now. */
    private void doubt(Channel channel, Heard heard, Channel.Guard guard) {
        Map<PointType, Set<String>> known =
                missed.computeIfAbsent(channel.id, id -> new HashMap<>());
        for (PointType type : List.of(PointType.T, PointType.S)) {
            Set<String> now = heard.missed().getOrDefault(type, Set.of());
            Set<String> fresh = new HashSet<>(now);
            fresh.removeAll(known.getOrDefault(type, Set.of()));
            if (!fresh.isEmpty()) {
                Outcome<Long> outcome =
                        writes.missed(
                                channel, type, values.some(channel.id, type, fresh), fresh, guard);
                failed(channel, outcome);
                if (!outcome.isStored()) {
                    continue;
                }
            }
            known.put(type, now);
        }
    }

    @Override
    public void down(HeldChannel held, Down down, Tally tally) {
        Optional<Channel.Guard> guard = guard(held);
        if (guard.isEmpty()) {
            return;
        }
        Channel channel = noted(held, tally);
        missed.remove(channel.id);
        try {
            Outcome<Long> outcome = fall(channel, word(down), guard.get());
            for (int i = 1; i < ATTEMPTS && overtaken(outcome); i++) {
                outcome = fall(channel, word(down), guard.get());
            }
            failed(channel, outcome);
        } catch (RedisException e) {
            failed(channel, Outcome.failed(e));
        }
    }

    private Outcome<Long> fall(Channel channel, String word, Channel.Guard guard) {
        Stored<ChannelStatus> status = health.read(channel).stored();
        return status == null || word.equals(status.value().status())
                ? writes.counted(channel, false, guard)
                : writes.down(channel, status, word, type -> values.all(channel.id, type), guard);
    }

    private static String word(Down down) {
        return switch (down) {
            case OFFLINE -> ChannelStatus.OFFLINE_WORD;
            case ERROR -> ChannelStatus.ERROR_WORD;
        };
    }

    @Override
    public void tally(HeldChannel held, Tally tally) {
        Optional<Channel.Guard> guard = guard(held);
        if (guard.isEmpty()) {
            return;
        }
        Channel channel = noted(held, tally);
        long second = clock.millis() / MILLIS_PER_SECOND;
        if (channel.statusSecond == second) {
            return;
        }
        try {
            failed(channel, writes.counted(channel, false, guard.get()));
        } catch (RedisException e) {
            failed(channel, Outcome.failed(e));
        }
    }

    @Override
    public void released(int id) {
        Channel channel = values.channel(id);
        channel.tally = null;
        channel.written = null;
        channel.status = null;
        missed.remove(id);
    }

    private Channel noted(HeldChannel held, Tally tally) {
        Channel channel = values.channel(held.channel());
        Tally before = channel.tally;
        channel.tally = tally;
        if (before == null
                || before.started() != tally.started()
                || before.errors() != tally.errors()) {
            // What is not written because it is the same would be compared with something old.
            channel.status = null;
        }
        return channel;
    }

    /** Empty for a channel that is not configured any more. */
    private Optional<Channel.Guard> guard(HeldChannel held) {
        return book.get(held.channel())
                .flatMap(DeviceJournal::mapped)
                .map(point -> new Channel.Guard(held, point));
    }

    private static Optional<String> mapped(ChannelConfiguration channel) {
        for (PointType type : PointType.values()) {
            for (PointDefinition each : channel.points(type)) {
                if (each.isMapped()) {
                    return Optional.of(type.reference(each.point()));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean overtaken(Outcome<Long> outcome) {
        return outcome.failedBy(Reason.CONFLICT)
                || outcome.failedBy(Reason.DUPLICATE)
                || outcome.failedBy(Reason.ABSENT);
    }

    private void failed(Channel channel, Outcome<Long> outcome) {
        if (!outcome.isStored()) {
            seldom.say(
                    times ->
                            log.warn(
                                    "What a device said was not stored. channel={} reason={}"
                                            + " others={}",
                                    channel.id,
                                    outcome,
                                    times));
        }
    }
}
