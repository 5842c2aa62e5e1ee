package dev.millrace.hub.pubsub;

import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.List;

/** The room of message channels, made once for a hub. Thread-safe. */
public final class Pubsub implements AutoCloseable {
    private final Wakes wakes;
    private final List<Route> routes;

    private Pubsub(Keyspace keyspace, PubsubSettings settings, MeterRegistry figures) {
        PubsubStore store = new PubsubStore(keyspace);
        wakes = new Wakes(keyspace.redis());
        Gauge.builder("millrace.pubsub.waiting", wakes, Wakes::waiting)
                .description("Polls and streams that wait for messages.")
                .register(figures);
        PubsubService service = new PubsubService(store, wakes, settings);
        routes = new PubsubApi(service, new ChannelGate(), settings).routes();
    }

    public static Pubsub open(Keyspace keyspace, PubsubSettings settings, MeterRegistry figures) {
        return new Pubsub(keyspace, settings, figures);
    }

    public List<Route> routes() {
        return routes;
    }

    /** The hub stops: nobody waits for messages any more. */
    public void stop() {
        wakes.stop();
    }

    @Override
    public void close() {
        wakes.close();
    }
}
