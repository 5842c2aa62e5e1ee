package dev.millrace.hub.mqtt;

import dev.millrace.hub.mqtt.embedded.EmbeddedBroker;
import dev.millrace.hub.mqtt.embedded.Listeners;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Those who would get what is sent to some topics. Thread-safe. */
interface Audience {
    /**
     * Whether there may be somebody: a client, or one that is away and will be back for it. Whoever
     * asks after a subscription was acknowledged hears of it.
     */
    boolean isThere();

    /** Runs this whenever somebody begins to listen, on a thread that must not wait. */
    void whenItComes(Runnable told);

    /**
     * At the embedded broker. An outside one cannot be asked who listens, so there somebody always
     * may be.
     *
     * @param topics as a filter
     */
    static Audience of(CompletableFuture<Optional<EmbeddedBroker>> embedded, String topics) {
        CompletableFuture<Optional<Listeners>> listeners =
                embedded.thenApply(there -> there.map(broker -> broker.listeners(topics)))
                        // Whoever sends to a broker that did not start will be told.
                        .exceptionally(failed -> Optional.empty());
        return new Audience() {
            @Override
            public boolean isThere() {
                return listeners.join().map(Listeners::areThere).orElse(true);
            }

            @Override
            public void whenItComes(Runnable told) {
                var _ =
                        listeners.thenAccept(
                                there -> there.ifPresent(each -> each.whenOneComes(told)));
            }
        };
    }
}
