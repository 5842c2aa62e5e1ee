package dev.millrace.keyspace.redis;

import static java.util.Objects.requireNonNull;

import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Topology;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Which lane a request takes: the primary that owns its slot, and there the lane of its order.
 *
 * <p>A standalone server is a cluster with one slot. In a cluster slots wander, and a request must
 * not reach the new owner before an older one of the same owner that still waits for the old one.
 * So there is one table for each lane number, and an entry is changed only by the worker of the
 * lane it points to, between two batches: it takes the waiting requests of the slot along ({@link
 * #transfer}). News about the cluster (a refresh, a MOVED) only change {@code wanted}.
 */
final class Router implements Lane.Routes, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    final Shared shared;
    private final RedisOptions options;
    private final Watchdog watchdog;
    private final @Nullable Sentinels sentinels;
    private final int slots;
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<Node> wanted;
    private final AtomicReferenceArray<Lane>[] tables;
    private final ReentrantLock transfers = new ReentrantLock();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final AtomicInteger news = new AtomicInteger();
    private volatile boolean closed;

    /** Lanes start when the tables are filled, not before. */
    private volatile boolean ready;

    private record Node(Endpoint endpoint, Lane[] lanes, int[] seenNews) {}

    @SuppressWarnings({"unchecked", "rawtypes"})
    Router(RedisOptions options) {
        this.options = options;
        this.shared = new Shared(options);
        this.watchdog = shared.watchdog;
        this.slots = options.cluster() ? Slots.COUNT : 1;
        this.sentinels =
                options.topology() instanceof Topology.Sentinel named
                        ? new Sentinels(options, named, watchdog)
                        : null;
        this.wanted = new AtomicReferenceArray<>(slots);
        this.tables = new AtomicReferenceArray[options.lanes()];
        try {
            switch (options.topology()) {
                case Topology.Single single -> wanted.set(0, node(options.endpoints().getFirst()));
                case Topology.Cluster cluster ->
                        learnSlots(ClusterMap.read(options.endpoints(), options, watchdog));
                case Topology.Sentinel named ->
                        wanted.set(0, node(requireNonNull(sentinels).primary()));
            }
        } catch (RedisException e) {
            watchdog.close();
            throw e;
        }
        for (int index = 0; index < tables.length; index++) {
            tables[index] = new AtomicReferenceArray<>(slots);
            for (int slot = 0; slot < slots; slot++) {
                Node owner = wanted.get(slot);
                // A slot without an owner goes to any node, which answers CLUSTERDOWN or MOVED.
                Node node = owner != null ? owner : nodes.values().iterator().next();
                tables[index].set(slot, node.lanes[index]);
            }
        }
        ready = true;
        eachLane(Lane::start);
        if (sentinels != null) {
            sentinels.watch(this::learnPrimary);
        }
        watchdog.also(this::expireOverdue);
    }

    private Node node(Endpoint endpoint) {
        Node node =
                nodes.computeIfAbsent(
                        endpoint.address(),
                        address -> {
                            Lane[] lanes = new Lane[options.lanes()];
                            for (int index = 0; index < lanes.length; index++) {
                                lanes[index] = new Lane(endpoint, index, shared, this);
                                if (ready) {
                                    lanes[index].start();
                                }
                            }
                            return new Node(endpoint, lanes, new int[lanes.length]);
                        });
        if (closed) {
            // Found while closing, which may have missed it.
            for (Lane lane : node.lanes) {
                lane.close();
            }
        }
        return node;
    }

    /** The lane that this request has to take now. */
    private Lane lane(Request request) {
        return tables[laneIndex(request)].get(request.slot);
    }

    @Override
    public boolean leadTo(Lane lane, Request request) {
        return lane(request) == lane;
    }

    private int laneIndex(Request request) {
        return (request.order & 63) % tables.length;
    }

    void submit(Request request) {
        stamp(request);
        while (!lane(request).offer(request, null)) {
            Thread.onSpinWait();
        }
        watchdog.within(request.deadline);
    }

    /** Two of one order and one slot. */
    void submit(Request first, Request second) {
        stamp(first);
        stamp(second);
        while (!lane(first).offer(first, second)) {
            Thread.onSpinWait();
        }
        watchdog.within(first.deadline);
    }

    private void stamp(Request request) {
        long now = System.nanoTime();
        request.notBefore = now;
        request.deadline = now + options.patience().toNanos();
    }

    // ---------------------------------------------------------------- wandering slots

    /** A node answered MOVED: remember where the slot lives now. */
    @Override
    public void learn(int slot, Endpoint owner) {
        if (options.cluster()) {
            wanted.set(slot, node(owner));
            refreshSoon();
        }
    }

    /** Hands one slot over to its new owner; called by the worker that was told MOVED. */
    @Override
    public void moved(Lane from, int slot) {
        Node owner = wanted.get(slot);
        if (owner != null && owner.lanes[from.index] != from) {
            BitSet leaving = new BitSet();
            leaving.set(slot);
            transfer(from, owner.lanes[from.index], leaving);
        }
    }

    /** Hands over every slot that the newest map gives to somebody else; called by the worker. */
    @Override
    public void followSlots(Lane from) {
        Node home = nodes.get(from.endpoint.address());
        int newest = news.get();
        if (home == null || home.seenNews[from.index] == newest) {
            return;
        }
        home.seenNews[from.index] = newest;
        Map<Lane, BitSet> leaving = new HashMap<>();
        for (int slot = 0; slot < slots; slot++) {
            Node owner = wanted.get(slot);
            if (owner != null
                    && owner.lanes[from.index] != from
                    && tables[from.index].get(slot) == from) {
                leaving.computeIfAbsent(owner.lanes[from.index], lane -> new BitSet()).set(slot);
            }
        }
        leaving.forEach((to, slotSet) -> transfer(from, to, slotSet));
    }

    private void transfer(Lane from, Lane to, BitSet leaving) {
        List<Request> homeless;
        transfers.lock();
        try {
            homeless =
                    from.handOver(
                            to,
                            leaving,
                            () ->
                                    leaving.stream()
                                            .forEach(slot -> tables[from.index].set(slot, to)));
        } finally {
            transfers.unlock();
        }
        homeless.forEach(request -> request.expire(LaneQueue.closedException()));
    }

    Map<Endpoint, String> sentinelViews() {
        return sentinels == null ? Map.of() : sentinels.views();
    }

    private void learnPrimary(Endpoint primary) {
        Node before = wanted.get(0);
        if (before == null || !before.endpoint.equals(primary)) {
            LOG.info("The sentinels name another primary. endpoint={}", primary);
            wanted.set(0, node(primary));
            tellLanes();
        }
    }

    /** Asks those who know where the primaries are, in the background, one question at a time. */
    @Override
    public void refreshSoon() {
        if (sentinels != null) {
            sentinels.askSoon();
        } else if (options.cluster() && !closed && refreshing.compareAndSet(false, true)) {
            Thread.ofVirtual().name("redis-cluster-map").start(this::refresh);
        }
    }

    private void refresh() {
        try {
            List<Endpoint> known = nodes.values().stream().map(Node::endpoint).toList();
            learnSlots(ClusterMap.read(known, options, watchdog));
        } catch (RedisException e) {
            LOG.warn("The cluster's map cannot be read. reason={}", e.getMessage());
        } finally {
            refreshing.set(false);
        }
    }

    private void learnSlots(List<ClusterMap.Range> map) {
        boolean changed = false;
        for (ClusterMap.Range range : map) {
            Node owner = node(range.primary());
            for (int slot = range.first(); slot <= range.last(); slot++) {
                changed |= !owner.equals(wanted.getAndSet(slot, owner));
            }
        }
        if (changed) {
            tellLanes();
        }
    }

    private void tellLanes() {
        news.incrementAndGet();
        eachLane(Lane::poke);
    }

    /** Whether some still wait, so that it has to be done again. */
    private boolean expireOverdue() {
        eachLane(Lane::expireOverdue);
        return waiting() > 0;
    }

    private void eachLane(Consumer<Lane> action) {
        for (Node node : nodes.values()) {
            for (Lane lane : node.lanes) {
                action.accept(lane);
            }
        }
    }

    /** The nodes that own slots now; the one server of a standalone. */
    List<Endpoint> primaries() {
        Set<Endpoint> primaries = new LinkedHashSet<>();
        for (int slot = 0; slot < slots; slot++) {
            Node owner = wanted.get(slot);
            if (owner != null) {
                primaries.add(owner.endpoint);
            }
        }
        return List.copyOf(primaries);
    }

    Endpoint primaryOf(int slot) {
        return tables[0].get(slot).endpoint;
    }

    long waiting() {
        long[] sum = {0};
        eachLane(lane -> sum[0] += lane.waiting());
        return sum[0];
    }

    @Override
    public void close() {
        closed = true;
        if (sentinels != null) {
            sentinels.close();
        }
        eachLane(Lane::close);
        watchdog.close();
    }
}
