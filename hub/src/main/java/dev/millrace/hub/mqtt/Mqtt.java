package dev.millrace.hub.mqtt;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.server.CannotListenException;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.mqtt.embedded.EmbeddedBroker;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * MQTT, opened once for a hub and handed to the rooms. The hub is always the client of a broker:
 * one outside, or the embedded one, which is merely started first. Rooms see neither. Thread-safe.
 */
public final class Mqtt implements AutoCloseable {
    private static final String CLIENT = "millrace-";
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Duration keep;
    private final int eventbus;
    private final boolean embeds;
    private final CompletableFuture<Optional<EmbeddedBroker>> embedded;
    private final @Nullable Broker broker;
    private final List<AutoCloseable> parts = new CopyOnWriteArrayList<>();
    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();

    private Mqtt(
            Duration keep,
            int eventbus,
            boolean embeds,
            CompletableFuture<Optional<EmbeddedBroker>> embedded,
            @Nullable Broker broker) {
        this.keep = keep;
        this.eventbus = eventbus;
        this.embeds = embeds;
        this.embedded = embedded;
        this.broker = broker;
    }

    /**
     * Opens it. An embedded broker takes a moment, and starts beside whatever else is opened;
     * {@link #letGuestsIn} waits for it. An outside broker may be away for now.
     *
     * @param http whose address and certificate the embedded broker shares unless told otherwise
     * @param dataDir below which it keeps its data
     */
    public static Mqtt open(
            MqttSettings settings,
            HttpSettings http,
            Path dataDir,
            Gate gate,
            MeterRegistry registry) {
        Optional<BrokerUrl> url = settings.url();
        if (url.isPresent()) {
            Target outside = Target.outside(url.get(), settings.trust());
            return new Mqtt(
                    settings.sessionExpiry(),
                    settings.eventbus().maxConnections(),
                    false,
                    CompletableFuture.completedFuture(Optional.empty()),
                    new Broker(
                            CompletableFuture.completedFuture(outside), new MqttMetrics(registry)));
        }
        if (!settings.embeds()) {
            return off();
        }
        // Made at each start, and nowhere written down.
        String secret = UUID.randomUUID() + "-" + UUID.randomUUID();
        CompletableFuture<EmbeddedBroker> starting =
                CompletableFuture.supplyAsync(
                        () ->
                                EmbeddedBroker.start(
                                        settings.plan(http),
                                        dataDir.resolve("mqtt"),
                                        gate,
                                        registry,
                                        secret,
                                        Topics::isClosedToGuests),
                        work -> Thread.ofPlatform().daemon().name("mqtt-start").start(work));
        return new Mqtt(
                settings.sessionExpiry(),
                settings.eventbus().maxConnections(),
                true,
                starting.thenApply(Optional::of),
                new Broker(
                        starting.thenApply(broker -> Target.embedded(broker.insidePort(), secret)),
                        new MqttMetrics(registry)));
    }

    /** Without any broker. */
    public static Mqtt off() {
        return new Mqtt(
                Duration.ZERO, 0, false, CompletableFuture.completedFuture(Optional.empty()), null);
    }

    /**
     * Lets guests in to an embedded broker; to be called when all rooms listen. What a broker
     * acknowledges and nobody has asked for yet, it throws away.
     *
     * @return the ports where it listens; none if there is none
     * @throws dev.millrace.hub.http.server.CannotListenException with a sentence that says what to
     *     do
     */
    public List<Integer> letGuestsIn() {
        try {
            Optional<EmbeddedBroker> there = embedded.join();
            there.ifPresent(this::letGuestsIn);
            return there.map(EmbeddedBroker::ports).orElse(List.of());
        } catch (CompletionException e) {
            if (e.getCause() instanceof CannotListenException sentence) {
                throw sentence;
            }
            throw e;
        }
    }

    private void letGuestsIn(EmbeddedBroker there) {
        for (Receiver receiver : receivers) {
            try {
                receiver.subscribed().get(LONG.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new CannotListenException(
                        "The embedded MQTT broker does not take the hub's own subscriptions; its"
                            + " log lines say why. --set mqtt.embedded.port=off goes without it.");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CannotListenException("The hub was stopped while it started.");
            }
        }
        there.letGuestsIn();
    }

    /** Whether there is a broker at all: false with {@code mqtt.embedded.port=off} and no URL. */
    public boolean on() {
        return broker != null;
    }

    private Broker broker() {
        Broker there = broker;
        if (there == null) {
            throw new MqttException(
                    "There is no MQTT broker: set mqtt.url, or mqtt.embedded.port to a port.");
        }
        return there;
    }

    /**
     * Ordered sending under one client id of the whole site; it connects when it is first used.
     *
     * @throws MqttException if MQTT is off
     */
    public Sender sender(String name) {
        Sender sender = new Sender(broker(), CLIENT + name);
        parts.add(sender);
        return sender;
    }

    /**
     * Sending by each hub for itself, under a client id that no other has.
     *
     * @throws MqttException if MQTT is off
     */
    public Sender ownSender(String name) {
        return sender(name + "-" + UUID.randomUUID());
    }

    /**
     * Listens in a durable session under one client id of the whole site.
     *
     * @throws MqttException if MQTT is off
     */
    public Receiver receive(String name, String filter, Handler handler) {
        return receive(name, filter, handler, () -> true);
    }

    /**
     * The same, connected only while something holds: that this hub is the one of its site that
     * does this work. (Two with the same client id would throw out one another in turn.) What comes
     * to an embedded broker nobody but its own hub can take, so that one always listens.
     */
    public Receiver receive(String name, String filter, Handler handler, BooleanSupplier wanted) {
        return receiveMany(
                name, filter, 1, messages -> handler.receive(messages.getFirst()), wanted);
    }

    /**
     * The same for a handler that takes several messages at a time.
     *
     * @param most how many at once, where so many wait
     */
    public Receiver receiveMany(
            String name, String filter, int most, BatchHandler handler, BooleanSupplier wanted) {
        BooleanSupplier when = embeds ? () -> true : wanted;
        Receiver receiver =
                new Receiver(broker(), CLIENT + name, filter, keep, handler, most, when);
        parts.add(receiver);
        receivers.add(receiver);
        return receiver;
    }

    /**
     * Those who would get what is sent to these topics.
     *
     * @param topics as a filter
     */
    Audience audience(String topics) {
        return Audience.of(embedded, topics);
    }

    /** {@code /eventbus}; nothing where there is no broker. */
    public List<Route> routes() {
        Broker there = broker;
        return there == null || eventbus == 0
                ? List.of()
                : new Eventbus(this, there, eventbus).routes();
    }

    /** A connection to the embedded broker is made for somebody else. */
    void guest(Socket socket, InetAddress from) {
        embedded.join()
                .ifPresent(
                        each ->
                                each.guest(
                                        (InetSocketAddress) socket.getLocalSocketAddress(), from));
    }

    void guestLeft(Socket socket) {
        embedded.join()
                .ifPresent(
                        each -> each.guestLeft((InetSocketAddress) socket.getLocalSocketAddress()));
    }

    /** What should be taken from the broker and is not, though it is there. */
    public List<String> standstills() {
        return receivers.stream().map(Receiver::stuck).flatMap(Optional::stream).toList();
    }

    /** What an operator should look at; none of it keeps the hub from working. */
    public List<String> warnings() {
        Broker there = broker;
        return there == null
                ? List.of()
                : there.trouble().stream().map(each -> "MQTT: " + each).toList();
    }

    @Override
    public void close() {
        parts.forEach(Mqtt::close);
        embedded.handle((there, failed) -> there == null ? Optional.<EmbeddedBroker>empty() : there)
                .join()
                .ifPresent(EmbeddedBroker::close);
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            throw new IllegalStateException("No part of this throws anything.", e);
        }
    }
}
