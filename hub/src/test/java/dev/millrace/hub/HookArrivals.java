package dev.millrace.hub;

import dev.millrace.hub.pubsub.HookReceiver;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a receiver of webhooks has seen, by channel, in the order of the first arrival. It refuses
 * one in five, taken by chance. Ids are {@code channel-number}. Publishers ask it for room, so that
 * deliveries are always under way and never far behind.
 */
final class HookArrivals {
    private static final int ROOM = 30;

    private final Map<String, Semaphore> room = new ConcurrentHashMap<>();
    private final Map<String, List<String>> arrived = new ConcurrentHashMap<>();
    private final Map<String, List<String>> takenInOrder = new ConcurrentHashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final Set<String> taken = new HashSet<>();
    private int refused;
    private int takenAgain;

    synchronized HookReceiver.Reply answer(HookReceiver.Got got) {
        String id = got.id();
        String channel = id.substring(0, id.indexOf('-'));
        if (seen.add(id)) {
            arrived.computeIfAbsent(channel, name -> new ArrayList<>()).add(id);
            room(channel).release();
        }
        if (ThreadLocalRandom.current().nextInt(5) == 0) {
            refused++;
            return HookReceiver.Reply.of(503);
        }
        if (taken.add(id)) {
            takenInOrder.computeIfAbsent(channel, name -> new ArrayList<>()).add(id);
        } else {
            takenAgain++;
        }
        return HookReceiver.Reply.of(200);
    }

    private Semaphore room(String channel) {
        return room.computeIfAbsent(channel, name -> new Semaphore(ROOM));
    }

    /** Waits until not too many of the channel are on their way. */
    void awaitRoom(String channel) throws InterruptedException {
        room(channel).acquire();
    }

    /** Nobody waits for room any more. */
    void letAllGo() {
        room.values().forEach(each -> each.release(1_000_000));
    }

    synchronized List<String> of(String channel) {
        return List.copyOf(arrived.getOrDefault(channel, List.of()));
    }

    /** What was not refused, in the order in which it was taken for the first time. */
    synchronized List<String> taken(String channel) {
        return List.copyOf(takenInOrder.getOrDefault(channel, List.of()));
    }

    /** How many different messages have come. */
    synchronized int count() {
        return seen.size();
    }

    synchronized int refused() {
        return refused;
    }

    /** How many came once more although they had been taken. */
    synchronized int takenAgain() {
        return takenAgain;
    }
}
