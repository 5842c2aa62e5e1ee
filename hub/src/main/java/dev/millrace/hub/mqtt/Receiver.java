package dev.millrace.hub.mqtt;

import dev.millrace.hub.http.server.CannotListenException;
import dev.millrace.hub.work.BackOff;
import dev.millrace.hub.work.Beat;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Takes messages of a durable session, one after the other, and acknowledges each when it has been
 * dealt with. The session is kept by the broker under a fixed client id, so what is sent while no
 * hub is there waits. A handler that fails is asked again after a while, with the same message:
 * nothing is acknowledged that was not dealt with, and nothing is overtaken. A broker that is away
 * is asked for again for ever.
 *
 * <p>Whatever the broker hands on, it must not stop those behind it. A message that this side
 * cannot even read makes it hang up, and would come first again: so the next connection is made in
 * a version of the protocol in which there is less to be read. Should nothing help, {@link #stuck}
 * says so, and the hub is not ready: a broker goes on acknowledging what never arrives here.
 *
 * <p>What has arrived and waits is bounded by what the broker may send unacknowledged; of the
 * others (QoS 0) those are dropped that come too fast. Thread-safe.
 */
public final class Receiver implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Receiver.class);
    private static final int MOST_UNCERTAIN = 256;
    private static final Duration LOOK = Duration.ofMillis(250);

    /** Until it is looked, without a message, whether this hub is still the one that listens. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    /** Many who lost the same broker must not come back in one moment. */
    private static final BackOff BACK_OFF =
            BackOff.doubling(Duration.ofMillis(100), Duration.ofSeconds(10)).spread(0.5, 0);

    /** After so long without progress something is wrong that does not mend itself. */
    private static final Duration STUCK = Duration.ofSeconds(10);

    /** A connection that has lasted so long, with nothing to do, is a good one. */
    private static final Duration STEADY = Duration.ofSeconds(5);

    /** Something has kept us from taking messages since then. */
    private record Standstill(long sinceNanos, String why) {}

    private final Broker broker;
    private final String filter;
    private final BatchHandler handler;

    /** How many messages are handed over at once, where so many wait. */
    private final int most;

    private final BooleanSupplier wanted;
    private final Wire.Terms terms;

    /** Messages; and nothing, when there may be no connection any more, or no time. */
    private final BlockingQueue<Optional<Wire.Arrived>> arrived = new LinkedBlockingQueue<>();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<@Nullable Standstill> standstill = new AtomicReference<>();
    private final CompletableFuture<Void> subscribed = new CompletableFuture<>();
    private volatile boolean unreadable;

    /** Connections that came to nothing, since one was good; of its own thread alone. */
    private int failed;

    /** Whether the connection may have been lost; of its own thread alone. */
    private boolean doubtful;

    private final Thread thread;

    Receiver(
            Broker broker,
            String clientId,
            String filter,
            Duration keep,
            BatchHandler handler,
            int most,
            BooleanSupplier wanted) {
        this.broker = broker;
        this.filter = filter;
        this.handler = handler;
        this.most = most;
        this.wanted = wanted;
        this.terms = new Wire.Terms(clientId, keep, this::take, this::lost);
        this.thread = Thread.ofVirtual().name(clientId).start(this::run);
    }

    /** Called by the thread that reads the connection. */
    private void take(Wire.Arrived message) {
        if (message.certain() || arrived.size() < MOST_UNCERTAIN) {
            arrived.add(Optional.of(message));
        }
    }

    /** Called by that thread too. */
    private void lost(Throwable why) {
        arrived.add(Optional.empty());
        if (Trouble.unreadable(why)) {
            unreadable = true;
            log.warn(
                    "A message cannot be read and is asked for without its properties. filter={}"
                            + " reason={}",
                    filter,
                    why.getMessage());
        }
    }

    /** Done once the broker keeps for us whatever is sent. */
    CompletableFuture<Void> subscribed() {
        return subscribed;
    }

    /** Why nothing is taken, though the broker is there; empty while all is well. */
    Optional<String> stuck() {
        Standstill now = standstill.get();
        if (now == null || !wanted.getAsBoolean()) {
            return Optional.empty();
        }
        Duration since = Duration.ofNanos(System.nanoTime() - now.sinceNanos);
        return since.compareTo(STUCK) < 0
                ? Optional.empty()
                : Optional.of(
                        "MQTT: no message of %s has been taken for %d s, though the broker is there: %s"
                                .formatted(filter, since.toSeconds(), now.why));
    }

    private void troubled(@Nullable String why) {
        standstill.updateAndGet(
                before ->
                        new Standstill(
                                before == null ? System.nanoTime() : before.sinceNanos,
                                String.valueOf(why)));
    }

    private void fine() {
        standstill.set(null);
    }

    private void run() {
        while (!ending(Duration.ZERO)) {
            if (!wanted.getAsBoolean()) {
                ending(LOOK);
                continue;
            }
            try (Wire wire = connected()) {
                listen(wire);
            } catch (MqttException e) {
                ending(BACK_OFF.after(failed++));
            } catch (RuntimeException e) {
                // A broker without its port: whoever starts the hub is told so, and it ends.
                if (!(e.getCause() instanceof CannotListenException)) {
                    log.error(
                            "A subscription failed and will be tried again. filter={}", filter, e);
                }
                ending(BACK_OFF.after(failed++));
            }
            // What was not acknowledged comes again.
            arrived.clear();
        }
        broker.left(terms.clientId());
    }

    private Wire connected() {
        boolean plainly = unreadable;
        unreadable = false;
        try {
            return plainly ? broker.connectPlainly(terms) : broker.connect(terms);
        } catch (MqttException e) {
            // It is away, which is its own affair, and said elsewhere.
            fine();
            throw e;
        }
    }

    private void listen(Wire wire) {
        broker.figures().up();
        try {
            wire.subscribe(filter).join();
            subscribed.complete(null);
            long began = System.nanoTime();
            while (goingOn(wire)) {
                Optional<Wire.Arrived> message = nextArrived();
                if (message.isPresent()) {
                    handle(withThoseBehind(message.get()), wire);
                    failed = 0;
                } else if (System.nanoTime() - began > STEADY.toNanos()) {
                    failed = 0;
                    fine();
                }
            }
            if (!wire.up() && wanted.getAsBoolean() && !ending(Duration.ZERO)) {
                throw failed(new IllegalStateException("the connection was closed"));
            }
        } catch (CompletionException e) {
            throw failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            broker.figures().down();
        }
    }

    /** Empty if none comes for a while, or if it is to be seen whether any can come. */
    private Optional<Wire.Arrived> nextArrived() throws InterruptedException {
        Duration patience = doubtful ? LOOK : QUIET;
        Optional<Wire.Arrived> next =
                arrived.poll(Beat.within(patience).toNanos(), TimeUnit.NANOSECONDS);
        // The library says that a connection is lost a little before it knows itself.
        doubtful = next != null && next.isEmpty();
        return next == null ? Optional.empty() : next;
    }

    private MqttException failed(Exception why) {
        MqttException failed = broker.failed(terms.clientId(), why);
        troubled(failed.getMessage());
        return failed;
    }

    private boolean goingOn(Wire wire) {
        return !ending(Duration.ZERO) && wire.up() && wanted.getAsBoolean();
    }

    private List<Wire.Arrived> withThoseBehind(Wire.Arrived message) {
        if (most == 1) {
            return List.of(message);
        }
        List<Optional<Wire.Arrived>> behind = new ArrayList<>();
        arrived.drainTo(behind, most - 1);
        return Stream.concat(Stream.of(message), behind.stream().flatMap(Optional::stream))
                .toList();
    }

    private void handle(List<Wire.Arrived> messages, Wire wire) {
        List<Incoming> incoming = messages.stream().map(Wire.Arrived::message).toList();
        int tries = 0;
        while (goingOn(wire)) {
            if (tries > 0) {
                messages.forEach(each -> broker.figures().redelivered());
            }
            try {
                handler.receive(incoming);
                for (Wire.Arrived each : messages) {
                    each.acknowledge().run();
                    broker.figures().received();
                }
                fine();
                return;
            } catch (RuntimeException e) {
                if (tries == 0) {
                    log.warn(
                            "A message could not be handled and will be tried again. topic={}"
                                    + " reason={}",
                            incoming.getFirst().topic(),
                            e.getMessage());
                }
                troubled(e.getMessage());
                ending(BACK_OFF.after(tries++));
            }
        }
    }

    /** Waits, and says whether it is time to end. */
    private boolean ending(Duration time) {
        try {
            return closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed.countDown();
            return true;
        }
    }

    /** Ends; the message in hand is finished first. The session stays. */
    @Override
    public void close() {
        closed.countDown();
        arrived.add(Optional.empty());
        try {
            if (!thread.join(Duration.ofSeconds(10))) {
                log.warn(
                        "A subscription did not end in time and was left behind. filter={}",
                        filter);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
