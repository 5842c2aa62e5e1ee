package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.http.Talk;
import dev.millrace.hub.live.Pass;
import dev.millrace.hub.work.Seldom;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * One connection. Values that it does not take in time are told later, as what they are then;
 * everything else waits for it, up to a limit, beyond which it is closed. On its event loop only.
 */
final class RealtimeClient {
    private static final Logger log = LoggerFactory.getLogger(RealtimeClient.class);
    private static final Seldom FAILURES = new Seldom();
    private static final long NEVER = -1;

    /** How often, in ticks, it is asked whether it may still listen. */
    private static final int PASS_EVERY = 2;

    /** In its crowd; -1 when it is not there. */
    int index = -1;

    private final Realtime realtime;
    private final Crowd crowd;
    private final Talk talk;
    private final String id;
    private final Map<Integer, PointSubscription> points = new LinkedHashMap<>();
    private final Map<String, Map<String, LogSubscription>> logs = new LinkedHashMap<>();
    private final Queue<String> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private @Nullable Pass pass;
    private final long began = System.nanoTime();
    private long fullSince = NEVER;
    private long lastHeard = System.nanoTime();
    private long lastHeartbeat = System.nanoTime();
    private int ticks;
    private boolean over;

    RealtimeClient(Realtime realtime, Crowd crowd, Talk talk, String id) {
        this.realtime = realtime;
        this.crowd = crowd;
        this.talk = talk;
        this.id = id;
    }

    String id() {
        return id;
    }

    Crowd crowd() {
        return crowd;
    }

    boolean over() {
        return over;
    }

    /** With what it was let in; null as long as it has not said who it is. */
    @Nullable Pass pass() {
        return pass;
    }

    void letIn(Pass with) {
        pass = with;
    }

    // ------------------------------------------------------------------ what it gets

    /** Values: only to a client that is not {@link #full}. */
    void say(String type, String data, boolean batch, int count) {
        if (batch) {
            sayBatch(List.of(data), count);
        } else {
            talk.say(realtime.wording().message(type, data));
            realtime.figures().sent();
        }
    }

    void sayBatch(Collection<String> updates, int count) {
        talk.say(realtime.wording().batch(updates, count, null));
        realtime.figures().sent();
    }

    /** What must not be left out. */
    void tell(String text) {
        if (over) {
            return;
        }
        if (!full()) {
            talk.say(text);
            realtime.figures().sent();
            return;
        }
        waitForDrain();
        waiting.add(text);
        waitingBytes += text.length();
        if (waiting.size() > realtime.settings().bufferMessages()
                || waitingBytes > realtime.settings().bufferSize().count()) {
            closeSlow();
        }
    }

    /** A long answer, which the client can ask for again; there may be more waiting for it. */
    void tellIfRoom(String text, @Nullable String requestId) {
        if (full() && waitingBytes + text.length() > realtime.settings().bufferSize().count()) {
            refuse("RATE_LIMIT", "Take first what was answered before, and ask again.", requestId);
        } else {
            tell(text);
        }
    }

    void tell(String type, Map<String, ?> data) {
        tell(realtime.wording().message(type, data));
    }

    void refuse(String code, String sentence, @Nullable String requestId) {
        tell(realtime.wording().error(code, sentence, requestId));
    }

    /** Whether values have to wait. */
    boolean full() {
        return over || fullSince != NEVER || !waiting.isEmpty() || talk.full();
    }

    /** It did not take everything; when it has, whatever waits goes on. */
    void waitForDrain() {
        if (fullSince == NEVER && !over) {
            fullSince = System.nanoTime();
            talk.whenDrained(() -> attempt(this::drained));
        }
    }

    private void drained() {
        fullSince = NEVER;
        while (!waiting.isEmpty() && !talk.full()) {
            String next = waiting.remove();
            waitingBytes -= next.length();
            talk.say(next);
            realtime.figures().sent();
        }
        if (!waiting.isEmpty()) {
            waitForDrain();
            return;
        }
        long now = System.nanoTime();
        for (PointSubscription each : List.copyOf(points.values())) {
            each.flush(now);
        }
    }

    // ------------------------------------------------------------------ what it listens to

    int subscriptions() {
        return points.size() + logs.values().stream().mapToInt(Map::size).sum();
    }

    boolean hasPoints(int channel) {
        return points.containsKey(channel);
    }

    boolean hasLog(String source, String what) {
        return logs.getOrDefault(source, Map.of()).containsKey(what);
    }

    boolean listensTo(String source) {
        return logs.containsKey(source);
    }

    /** Begins one, in the place of an older one to the same channel. */
    void subscribe(PointSubscription subscription) {
        unsubscribe(subscription.channel().id());
        points.put(subscription.channel().id(), subscription);
        crowd.add(subscription);
    }

    boolean unsubscribe(int channel) {
        PointSubscription old = points.remove(channel);
        if (old != null) {
            old.end();
            crowd.remove(old);
            realtime.watch().letGo(old.channel());
        }
        return old != null;
    }

    /** Begins one; true if it is the first to its source. */
    boolean subscribe(LogSubscription subscription) {
        boolean first = !logs.containsKey(subscription.source());
        logs.computeIfAbsent(subscription.source(), each -> new HashMap<>())
                .put(subscription.id(), subscription);
        return first;
    }

    boolean unsubscribe(String source, String what) {
        Map<String, LogSubscription> all = logs.get(source);
        if (all == null || all.remove(what) == null) {
            return false;
        }
        if (all.isEmpty()) {
            logs.remove(source);
            realtime.tail(source).ifPresent(LogTail::letGo);
        }
        return true;
    }

    List<Integer> channels() {
        return List.copyOf(points.keySet());
    }

    List<String> logsOf(String source) {
        return List.copyOf(logs.getOrDefault(source, Map.of()).keySet());
    }

    List<String> sources() {
        return List.copyOf(logs.keySet());
    }

    /** Something was announced; it is told once, however many of its wishes it fulfils. */
    void hear(String source, Announced announced) {
        for (LogSubscription each : logs.getOrDefault(source, Map.of()).values()) {
            if (each.wants(announced.announcement())) {
                tell(announced.text(each.type()));
                return;
            }
        }
    }

    // ------------------------------------------------------------------ its end

    /** It has said something, or answered a ping. */
    void heard() {
        lastHeard = System.nanoTime();
    }

    /** Once a second. */
    void tick(long now) {
        ticks++;
        RealtimeSettings settings = realtime.settings();
        if (fullSince != NEVER && now - fullSince > settings.slowTimeOut().toNanos()) {
            closeSlow();
        } else if (pass == null) {
            if (now - began > settings.signInTimeOut().toNanos()) {
                refuse("AUTH_FAILED", "Nobody has said who this is.", null);
                close(Closing.NOT_SIGNED_IN, "Send auth with a token first.");
            }
        } else if (now - lastHeard > settings.idleTimeOut().toNanos()) {
            close(Closing.DONE, "Nothing was heard for too long.");
        } else {
            if (ticks % PASS_EVERY == 0) {
                lookAtPass(pass);
            }
            if (!over && now - lastHeartbeat > settings.heartbeat().toNanos() && !full()) {
                lastHeartbeat = now;
                tell("heartbeat", Map.of("server_time", realtime.wording().now()));
                talk.ping();
            }
        }
    }

    private void lookAtPass(Pass known) {
        List<String> closedDoors = new ArrayList<>();
        if (!points.isEmpty() && !known.stillOpens(Realtime.POINTS_DOOR)) {
            closedDoors.add(Said.POINTS);
            channels().forEach(this::unsubscribe);
        }
        for (String source : sources()) {
            if (realtime.tail(source)
                    .filter(tail -> known.stillOpens(tail.source().door()))
                    .isEmpty()) {
                closedDoors.add(source);
                logsOf(source).forEach(what -> unsubscribe(source, what));
            }
        }
        if (!realtime.stillOpens(known)) {
            refuse("AUTH_FAILED", "The token was revoked or has expired.", null);
            close(Closing.NOT_SIGNED_IN, "The token was revoked or has expired.");
        } else if (!closedDoors.isEmpty()) {
            refuse(
                    "PERMISSION_DENIED",
                    "The token may no longer listen to %s."
                            .formatted(String.join(", ", closedDoors)),
                    null);
        }
    }

    private void closeSlow() {
        realtime.figures().closedSlow();
        close(Closing.TOO_MUCH, "More waits for this client than it takes.");
    }

    void close(Closing why, String sentence) {
        if (!over) {
            talk.close(why.code(), sentence);
            closed();
        }
    }

    /** The connection is no more. */
    void closed() {
        if (over) {
            return;
        }
        over = true;
        crowd.remove(this);
        realtime.left();
        for (PointSubscription each : points.values()) {
            each.end();
            crowd.remove(each);
            realtime.watch().letGo(each.channel());
        }
        points.clear();
        realtime.controlling().forget(this);
        sources().forEach(source -> realtime.tail(source).ifPresent(LogTail::letGo));
        logs.clear();
        waiting.clear();
    }

    /** What goes wrong ends this client: all of a loop have one thread. */
    void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            FAILURES.say(
                    before ->
                            log.error(
                                    "A client of live values failed and is closed. before={}",
                                    before,
                                    e));
            try {
                close(Closing.FAILED, "The hub made a mistake.");
            } catch (RuntimeException again) {
                closed();
            }
        }
    }
}
