package dev.millrace.hub.mqtt;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends messages in order. All of a list are on their way before the first is acknowledged, so a
 * list costs about one round trip; lists go one after the other. After a failure nothing is left in
 * flight: the connection is thrown away with all that was in it, and the next list takes a new one.
 * It is the caller who sends again, from what it has kept.
 *
 * <p>There is one client id for all hubs of a site. When another hub takes over the work, the
 * broker throws this one out, and nothing that it still has to say can come between. Thread-safe.
 */
public final class Sender implements AutoCloseable {
    private static final Duration NO_SESSION = Duration.ZERO;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Broker broker;
    private final Wire.Terms terms;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Wire wire;
    private boolean closed;

    Sender(Broker broker, String clientId) {
        this.broker = broker;
        this.terms = new Wire.Terms(clientId, NO_SESSION, message -> {}, why -> {});
    }

    /**
     * Sends with QoS 1, and returns when the broker has acknowledged all.
     *
     * @throws MqttException when it could not. Unless it says which were {@linkplain
     *     MqttException#refused refused}, nothing is known about any of them, and the caller sends
     *     all of them again
     */
    public void send(List<Outgoing> messages) {
        if (messages.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            if (closed) {
                throw new MqttException("The hub is stopping; nothing is sent any more.");
            }
            List<Outgoing> refused = sendAll(connected(), messages);
            broker.figures().sent(messages.size() - refused.size());
            broker.figures().refused(refused.size());
            if (!refused.isEmpty()) {
                throw new MqttException(
                        "The broker %s does not take %d of %d messages, and never will: they are too"
                                        .formatted(broker.target(), refused.size(), messages.size())
                                + " large for it, or their topic means nothing to it.",
                        refused);
            }
        } finally {
            lock.unlock();
        }
    }

    private Wire connected() {
        Wire now = wire;
        if (now != null && now.up()) {
            return now;
        }
        drop();
        Wire fresh = broker.connect(terms);
        broker.figures().up();
        wire = fresh;
        return fresh;
    }

    /** Gives those that the broker will never take. */
    private List<Outgoing> sendAll(Wire over, List<Outgoing> messages) {
        List<Optional<Throwable>> answers;
        try {
            answers = over.send(messages).orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw lost(e);
        }
        List<Outgoing> refused = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            Optional<Throwable> wrong = answers.get(i);
            if (wrong.isPresent()) {
                if (!Trouble.forGood(wrong.get())) {
                    throw lost(wrong.get());
                }
                refused.add(messages.get(i));
            }
        }
        return refused;
    }

    private MqttException lost(Throwable why) {
        drop();
        return broker.failed(terms.clientId(), why);
    }

    /** Whether it is connected at this moment. */
    boolean up() {
        lock.lock();
        try {
            Wire now = wire;
            return now != null && now.up();
        } finally {
            lock.unlock();
        }
    }

    private void drop() {
        Wire old = wire;
        wire = null;
        if (old != null) {
            broker.figures().down();
            old.close();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            drop();
            broker.left(terms.clientId());
        } finally {
            lock.unlock();
        }
    }
}
