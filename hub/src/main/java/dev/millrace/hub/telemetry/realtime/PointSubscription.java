package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.telemetry.kept.PointType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One client's wish to hear of one channel. What may not be sent yet, because the interval is not
 * over or the client does not keep up, is kept as the newest value of each point, and nothing more.
 * On the client's event loop only.
 */
final class PointSubscription {
    /** How much is told when something has changed. */
    enum Mode {
        /** All points of the type. */
        VALUE,
        /** Those that have changed, with what they were. */
        DELTA,
        /** Those that have changed. */
        CHANGE
    }

    /**
     * What was asked for.
     *
     * @param interval the least time between two messages; zero for every change
     * @param batch whether it is told in messages that may hold many updates
     */
    record Wish(Set<PointType> types, Duration interval, Mode mode, boolean batch) {
        Wish {
            types = types.isEmpty() ? EnumSet.noneOf(PointType.class) : EnumSet.copyOf(types);
        }
    }

    /** In the list of its channel; -1 when it is not there. */
    int index = -1;

    /** Whether it waits for its interval to be over. */
    boolean scheduled;

    private final RealtimeClient client;
    private final LiveChannel channel;
    private final Wish wish;
    private final long interval;
    private final Set<PointType> dirty = EnumSet.noneOf(PointType.class);
    private final Map<PointType, Map<String, Change.Step>> pending = new EnumMap<>(PointType.class);
    private long version;
    private long lastSent;
    private boolean ended;

    PointSubscription(RealtimeClient client, LiveChannel channel, Wish wish) {
        this.client = client;
        this.channel = channel;
        this.wish = wish;
        this.interval = wish.interval.toNanos();
        this.lastSent = System.nanoTime() - interval;
    }

    LiveChannel channel() {
        return channel;
    }

    RealtimeClient client() {
        return client;
    }

    /** When it may speak again, by the clock that only goes forward. */
    long due() {
        return lastSent + interval;
    }

    /** Nothing more is to be told. */
    void end() {
        dirty.clear();
        pending.clear();
        ended = true;
    }

    /** Everything after this version is to be told. */
    void beginAt(long start) {
        version = start;
    }

    void hear(Change change) {
        if (ended || change.version() <= version || !wish.types.contains(change.type())) {
            return;
        }
        version = change.version();
        long now = System.nanoTime();
        if (dirty.isEmpty() && !client.full() && now - due() >= 0) {
            lastSent = now;
            say(
                    switch (wish.mode) {
                        case VALUE -> channel.whole(change.type());
                        case DELTA -> change.delta();
                        case CHANGE -> change.update();
                    },
                    change.steps().size());
            return;
        }
        dirty.add(change.type());
        if (wish.mode != Mode.VALUE) {
            Map<String, Change.Step> steps =
                    pending.computeIfAbsent(change.type(), each -> new LinkedHashMap<>());
            for (Change.Step step : change.steps()) {
                steps.merge(
                        step.now().point(),
                        step,
                        (first, last) -> new Change.Step(first.before(), last.now()));
            }
        }
        flush(now);
    }

    /** Says what waits, as soon as it may. */
    void flush(long now) {
        if (dirty.isEmpty() || client.over()) {
            return;
        }
        if (client.full()) {
            client.waitForDrain();
            return;
        }
        if (now - due() < 0) {
            client.crowd().schedule(this);
            return;
        }
        lastSent = now;
        for (PointType type : List.copyOf(dirty)) {
            List<Change.Step> steps =
                    new ArrayList<>(pending.getOrDefault(type, Map.of()).values());
            // What went there and back meanwhile has not changed for this client.
            steps.removeIf(step -> step.now().saysTheSame(step.before()));
            if (wish.mode == Mode.VALUE) {
                say(channel.whole(type), channel.size(type));
            } else if (!steps.isEmpty()) {
                say(
                        wish.mode == Mode.DELTA
                                ? Wording.delta(channel.id(), type, steps)
                                : Wording.update(
                                        channel.id(),
                                        type,
                                        steps.stream().map(Change.Step::now).toList()),
                        steps.size());
            }
        }
        dirty.clear();
        pending.clear();
    }

    private void say(String data, int points) {
        client.say(
                wish.mode == Mode.DELTA && !wish.batch ? "delta_update" : "data_update",
                data,
                wish.batch,
                points);
    }

    /** Says what there is when it begins. */
    void sayAll(List<String> updates) {
        int points = 0;
        for (PointType type : wish.types) {
            points += channel.size(type);
        }
        if (wish.batch && !updates.isEmpty()) {
            client.sayBatch(updates, points);
        } else {
            updates.forEach(each -> client.say("data_update", each, false, 0));
        }
    }
}
