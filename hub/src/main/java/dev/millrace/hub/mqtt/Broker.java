package dev.millrace.hub.mqtt;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The broker in use, as all connections of this hub see it: in which version it speaks, and which
 * of them have trouble with it. That it is away is said once, however many find out; and so that it
 * is back. Thread-safe.
 */
final class Broker {
    private static final Logger log = LoggerFactory.getLogger(Broker.class);

    private final CompletableFuture<Target> target;
    private final MqttMetrics figures;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, String> troubled = new TreeMap<>();
    private volatile boolean old;

    Broker(CompletableFuture<Target> target, MqttMetrics figures) {
        this.target = target;
        this.figures = figures;
    }

    /**
     * Waits for the embedded one to be there.
     *
     * @throws MqttException if it did not start; whoever started it says why
     */
    Target target() {
        try {
            return target.join();
        } catch (CompletionException e) {
            throw new MqttException("The embedded MQTT broker did not start.");
        }
    }

    MqttMetrics figures() {
        return figures;
    }

    /**
     * Connects, in MQTT 5 if the broker knows it.
     *
     * @throws MqttException with a sentence
     */
    Wire connect(Wire.Terms terms) {
        return connect(terms, this::dial);
    }

    /**
     * Connects in MQTT 3.1.1, in which messages have no properties: so one of which we cannot read
     * a property can be read.
     *
     * @throws MqttException with a sentence
     */
    Wire connectPlainly(Wire.Terms terms) {
        return connect(terms, this::dialOld);
    }

    private Wire connect(Wire.Terms terms, Function<Wire.Terms, Wire> dialling) {
        try {
            Wire wire = dialling.apply(terms);
            fine(terms.clientId());
            return wire;
        } catch (CompletionException e) {
            throw failed(terms.clientId(), e);
        } catch (MqttException e) {
            bad(terms.clientId(), String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private Wire dial(Wire.Terms terms) {
        if (old) {
            return dialOld(terms);
        }
        Wire5 wire = new Wire5(target(), terms);
        try {
            join(wire.connect());
            return wire;
        } catch (CompletionException e) {
            wire.close();
            if (!Trouble.ofVersion(e)) {
                throw e;
            }
            Wire older = dialOld(terms);
            log.info(
                    "The broker does not know MQTT 5; it is spoken to in 3.1.1. broker={}",
                    target());
            old = true;
            return older;
        }
    }

    private Wire dialOld(Wire.Terms terms) {
        Wire3 wire = new Wire3(target(), terms);
        try {
            join(wire.connect());
            return wire;
        } catch (CompletionException e) {
            wire.close();
            // It may have been replaced by one that knows more.
            old = false;
            throw e;
        }
    }

    private static void join(CompletableFuture<?> answer) {
        answer.join();
    }

    /** A connection was lost, or could not be made. */
    MqttException failed(String clientId, Throwable thrown) {
        String sentence = Trouble.sentence(target(), thrown);
        bad(clientId, sentence);
        return new MqttException(sentence);
    }

    private void bad(String clientId, String sentence) {
        lock.lock();
        try {
            if (troubled.isEmpty()) {
                log.warn("{} It is tried again and again. client={}", sentence, clientId);
            }
            troubled.put(clientId, sentence);
        } finally {
            lock.unlock();
        }
    }

    /** One ends, with whatever trouble it had. */
    void left(String clientId) {
        lock.lock();
        try {
            troubled.remove(clientId);
        } finally {
            lock.unlock();
        }
    }

    /** There is nothing (any more) to complain of. */
    private void fine(String clientId) {
        lock.lock();
        try {
            if (troubled.remove(clientId) != null && troubled.isEmpty()) {
                log.info("The broker is there again. broker={}", target());
            }
        } finally {
            lock.unlock();
        }
    }

    /** What is wrong, if anything is. */
    Optional<String> trouble() {
        lock.lock();
        try {
            return troubled.values().stream().findFirst();
        } finally {
            lock.unlock();
        }
    }
}
