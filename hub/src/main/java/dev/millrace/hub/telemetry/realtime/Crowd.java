package dev.millrace.hub.telemetry.realtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * All clients of one event loop. Whatever happens to them stands in one line: changes, beginnings
 * of subscriptions, answers; so a client sees it in the order in which it was put there. Everything
 * but {@link #put} and {@link #tell} happens on that loop.
 */
final class Crowd {
    /** A loop that is this far behind makes whoever tells it wait. */
    private static final int MOST_CHANGES = 8192;

    /** So many items in one go; other work of the loop passes in between. */
    private static final int AT_A_TIME = 256;

    private final Executor loop;
    private final Alarm alarm;
    private final Queue<Runnable> line = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Semaphore room = new Semaphore(MOST_CHANGES);
    private final List<RealtimeClient> clients = new ArrayList<>();
    private final Map<Integer, List<PointSubscription>> byChannel = new HashMap<>();
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private long ringsAt = Long.MAX_VALUE;

    /** When a subscription may speak. */
    private record Due(long at, PointSubscription who) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return Long.compare(at - other.at, 0);
        }
    }

    /** Rings once, after so many nanoseconds. */
    interface Alarm {
        void after(long nanos, Runnable step);
    }

    Crowd(Executor loop, Alarm alarm) {
        this.loop = loop;
        this.alarm = alarm;
    }

    /** Adds something to the line; from any thread. */
    void put(Runnable item) {
        line.add(item);
        wake();
    }

    /** Adds a change to the line, and waits if the line is too long. */
    void tell(Runnable item) throws InterruptedException {
        room.acquire();
        put(
                () -> {
                    room.release();
                    item.run();
                });
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            loop.execute(this::serve);
        }
    }

    private void serve() {
        woken.set(false);
        for (int left = AT_A_TIME; left > 0; left--) {
            Runnable item = line.poll();
            if (item == null) {
                return;
            }
            item.run();
        }
        wake();
    }

    // ------------------------------------------------------------------ clients

    void add(RealtimeClient client) {
        client.index = clients.size();
        clients.add(client);
    }

    void remove(RealtimeClient client) {
        int index = client.index;
        if (index < 0) {
            return;
        }
        client.index = -1;
        RealtimeClient last = clients.removeLast();
        if (last != client) {
            clients.set(index, last);
            last.index = index;
        }
    }

    /**
     * Once a second. From the last to the first, so that one that ends makes nobody be left out.
     */
    void tick() {
        long now = System.nanoTime();
        for (int i = clients.size() - 1; i >= 0; i = Math.min(i, clients.size()) - 1) {
            RealtimeClient client = clients.get(i);
            client.attempt(() -> client.tick(now));
        }
    }

    /** The same for a step that concerns all of them. */
    void each(Consumer<RealtimeClient> step) {
        for (RealtimeClient client : List.copyOf(clients)) {
            client.attempt(() -> step.accept(client));
        }
    }

    // ------------------------------------------------------------------ channels

    void add(PointSubscription subscription) {
        List<PointSubscription> all =
                byChannel.computeIfAbsent(subscription.channel().id(), each -> new ArrayList<>());
        subscription.index = all.size();
        all.add(subscription);
    }

    void remove(PointSubscription subscription) {
        int index = subscription.index;
        List<PointSubscription> all = byChannel.get(subscription.channel().id());
        if (index < 0 || all == null) {
            return;
        }
        subscription.index = -1;
        PointSubscription last = all.removeLast();
        if (last != subscription) {
            all.set(index, last);
            last.index = index;
        }
        if (all.isEmpty()) {
            byChannel.remove(subscription.channel().id());
        }
    }

    void hear(Change change) {
        List<PointSubscription> all = byChannel.getOrDefault(change.channel().id(), List.of());
        for (int i = all.size() - 1; i >= 0; i = Math.min(i, all.size()) - 1) {
            PointSubscription each = all.get(i);
            each.client().attempt(() -> each.hear(change));
        }
    }

    /** Those that watch this channel hear that something else happened to it. */
    void hear(int channel, String message) {
        for (PointSubscription each : List.copyOf(byChannel.getOrDefault(channel, List.of()))) {
            each.client().attempt(() -> each.client().tell(message));
        }
    }

    // ------------------------------------------------------------------ intervals

    /** It has something to say when its interval is over. */
    void schedule(PointSubscription subscription) {
        if (subscription.scheduled) {
            return;
        }
        subscription.scheduled = true;
        due.add(new Due(subscription.due(), subscription));
        ring();
    }

    private void ring() {
        Due first = due.peek();
        if (first != null && (ringsAt == Long.MAX_VALUE || first.at - ringsAt < 0)) {
            ringsAt = first.at;
            long at = first.at;
            alarm.after(Math.max(0, at - System.nanoTime()), () -> put(() -> rung(at)));
        }
    }

    private void rung(long at) {
        if (ringsAt == at) {
            ringsAt = Long.MAX_VALUE;
        }
        long now = System.nanoTime();
        for (Due first = due.peek(); first != null && first.at - now <= 0; first = due.peek()) {
            due.remove();
            PointSubscription who = first.who;
            who.scheduled = false;
            who.client().attempt(() -> who.flush(now));
        }
        ring();
    }
}
