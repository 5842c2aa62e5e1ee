package dev.millrace.hub.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.MqttClientExecutorConfig;
import com.hivemq.client.mqtt.MqttClientSslConfig;

import io.reactivex.Single;
import io.reactivex.disposables.Disposable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection to a broker, in one version of the protocol; used once. A lost connection is not
 * mended but replaced by another wire: the client library would send again by itself what was in
 * flight, and then nobody could say in which order things arrive.
 */
sealed interface Wire extends AutoCloseable permits Wire5, Wire3 {
    /** How long a broker may take to answer. */
    Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Who connects, and how.
     *
     * @param keep how long the broker keeps the session of one who is away; none for no session
     * @param arrived takes what arrives, on a thread that must not wait
     * @param lost hears why a connection has ended
     */
    record Terms(
            String clientId, Duration keep, Consumer<Arrived> arrived, Consumer<Throwable> lost) {

        /** Whether there is something at the broker that outlives a connection. */
        boolean durable() {
            return keep.isPositive();
        }
    }

    /**
     * What has arrived.
     *
     * @param certain whether the broker waits for an acknowledgement
     */
    record Arrived(Incoming message, boolean certain, Runnable acknowledge) {}

    /** Connects; the future fails with what the library says. */
    CompletableFuture<?> connect();

    /** Subscribes with QoS 1. */
    CompletableFuture<?> subscribe(String filter);

    /**
     * Sends with QoS 1, in order; done when the broker has answered for all, with what became of
     * each. (One flow for all: messages given to the library one by one may overtake each other.)
     */
    CompletableFuture<List<Optional<Throwable>>> send(List<Outgoing> messages);

    boolean up();

    /** Takes leave of the broker, which keeps a durable session. */
    CompletableFuture<?> disconnect();

    @Override
    default void close() {
        disconnect()
                .completeOnTimeout(null, 1, TimeUnit.SECONDS)
                // It was not there any more.
                .exceptionally(lost -> null)
                .join();
    }

    /** A client of either version. */
    static MqttClientBuilder client(Target target, Terms terms) {
        BrokerUrl url = target.url();
        MqttClientBuilder client =
                MqttClient.builder()
                        .identifier(terms.clientId())
                        .serverHost(url.host())
                        .serverPort(url.port())
                        .addDisconnectedListener(ended -> terms.lost().accept(ended.getCause()))
                        // One thread carries all of them; the default would be two for each core.
                        .executorConfig(MqttClientExecutorConfig.builder().nettyThreads(1).build());
        return url.encrypted() ? client.sslConfig(encryption(target)) : client;
    }

    private static MqttClientSslConfig encryption(Target target) {
        return MqttClientSslConfig.builder()
                .trustManagerFactory(target.trust().map(Trust::in).orElse(null))
                .build();
    }

    /** Done when the single thing is there. */
    static <T> CompletableFuture<T> future(Single<T> single) {
        CompletableFuture<T> future = new CompletableFuture<>();
        Disposable flow = single.subscribe(future::complete, future::completeExceptionally);
        // Given up, it must not go on sending.
        var _ = future.whenComplete((done, failed) -> flow.dispose());
        return future;
    }
}
