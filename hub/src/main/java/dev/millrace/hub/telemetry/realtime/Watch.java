package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The channels that somebody watches, kept up to date by the feed of telemetry, which is read once
 * for all clients. Nothing is asked again and again: between two writes there is nothing to do.
 *
 * <p>A channel begins with its stored values. The place behind the newest fact is asked for after
 * they were read, and a channel counts as known when the feed was heard up to there; so no change
 * is missing, and none that was overtaken is told. Thread-safe.
 */
final class Watch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Watch.class);
    private static final int ATTEMPTS = 8;

    private final StoredValues stored;
    private final Consumer<Change> changed;
    private final Reading reading;
    private final ReentrantLock lock = new ReentrantLock();

    /** Changed under the lock, read without it. */
    private final Map<Integer, LiveChannel> channels = new ConcurrentHashMap<>();

    /**
     * Watches nothing yet.
     *
     * @param changed is told of every change, in the order of each channel
     */
    Watch(Feed feed, StoredValues stored, Consumer<Change> changed) {
        this.stored = stored;
        this.changed = changed;
        this.reading =
                new Reading(
                        feed,
                        () -> !channels.isEmpty(),
                        new Reading.Hearer() {
                            @Override
                            public void heard(Changes.Facts facts) {
                                facts.facts().forEach(Watch.this::hear);
                            }

                            @Override
                            public void lost(String why) {
                                readAnew(why);
                            }
                        });
    }

    private void hear(Fact fact) {
        LiveChannel channel = channels.get(ValueFact.channel(fact.body()));
        if (channel != null) {
            ValueFact.read(fact.body())
                    .ifPresentOrElse(
                            values -> channel.hear(values, changed),
                            // It went offline, say: how far its values may be believed is stored.
                            () -> readAnew(List.of(channel)));
        }
    }

    private void readAnew(String why) {
        log.info("Watched channels are read anew. channels={} reason={}", channels.size(), why);
        readAnew(List.copyOf(channels.values()));
    }

    private void readAnew(List<LiveChannel> all) {
        Map<LiveChannel, LiveChannel.Load> loads = loads(all);
        Thread.ofVirtual().name("realtime-anew").start(() -> again(loads));
    }

    private static Map<LiveChannel, LiveChannel.Load> loads(List<LiveChannel> channels) {
        Map<LiveChannel, LiveChannel.Load> loads = new LinkedHashMap<>();
        channels.forEach(each -> loads.put(each, each.beginLoad()));
        return loads;
    }

    private void again(Map<LiveChannel, LiveChannel.Load> loads) {
        try {
            load(loads);
        } catch (RedisException e) {
            // The feed says soon that there is a server again, and all is read then.
            log.warn("Watched channels cannot be read. reason={}", e.getMessage());
        }
    }

    /**
     * Begins to watch; each one is to be let go again.
     *
     * @throws RedisException if the values cannot be read; then none is watched
     */
    Map<Integer, LiveChannel> watch(Collection<Integer> ids) {
        Map<Integer, LiveChannel> all = new LinkedHashMap<>();
        List<LiveChannel> fresh = new ArrayList<>();
        lock.lock();
        try {
            for (int id : ids) {
                LiveChannel channel =
                        channels.computeIfAbsent(
                                id,
                                each -> {
                                    LiveChannel made = new LiveChannel(each);
                                    fresh.add(made);
                                    return made;
                                });
                channel.users++;
                all.put(id, channel);
            }
        } finally {
            lock.unlock();
        }
        try {
            reading.begin();
            if (!fresh.isEmpty()) {
                load(loads(fresh));
                fresh.forEach(each -> each.loaded().complete(exists(each)));
            }
            all.values().forEach(each -> each.loaded().join());
            return all;
        } catch (RuntimeException e) {
            RedisException why =
                    e instanceof RedisException known
                            ? known
                            : new RedisException(
                                    Reason.UNAVAILABLE, "The channels cannot be read now.");
            fresh.forEach(
                    each -> {
                        forget(each);
                        each.loaded().completeExceptionally(why);
                    });
            all.values().forEach(this::letGo);
            throw why;
        }
    }

    private boolean exists(LiveChannel channel) {
        for (PointType type : LiveChannel.TYPES) {
            if (channel.size(type) > 0) {
                return true;
            }
        }
        return stored.exists(channel.id());
    }

    private void load(Map<LiveChannel, LiveChannel.Load> loads) {
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Map<LiveChannel, Map<PointType, List<PointValue>>> values = new LinkedHashMap<>();
                loads.keySet().forEach(each -> values.put(each, stored(each)));
                FeedCursor end = reading.end();
                if (reading.hasHeard(end)) {
                    values.forEach(
                            (channel, all) -> {
                                LiveChannel.Load load = loads.get(channel);
                                if (load != null) {
                                    channel.endLoad(load, all, changed);
                                }
                            });
                    return;
                }
                reading.begin();
            }
        } catch (RedisException e) {
            loads.forEach(LiveChannel::giveUp);
            throw e;
        }
        loads.forEach(LiveChannel::giveUp);
        throw new RedisException(Reason.UNAVAILABLE, "The feed of values cannot be followed now.");
    }

    private Map<PointType, List<PointValue>> stored(LiveChannel channel) {
        Map<PointType, List<PointValue>> all = new EnumMap<>(PointType.class);
        for (PointType type : LiveChannel.TYPES) {
            all.put(type, stored.all(channel.id(), type));
        }
        return all;
    }

    void letGo(LiveChannel channel) {
        lock.lock();
        try {
            if (--channel.users == 0) {
                channels.remove(channel.id(), channel);
            }
        } finally {
            lock.unlock();
        }
    }

    private void forget(LiveChannel channel) {
        lock.lock();
        try {
            channels.remove(channel.id(), channel);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        return channels.size();
    }

    @Override
    public void close() {
        reading.close();
    }
}
