package dev.millrace.hub.pubsub;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** The room of message channels, made once for a hub. Thread-safe. */
public final class Pubsub implements AutoCloseable {
    private final Wakes wakes;
    private final List<Route> routes = new ArrayList<>();

    private Pubsub(
            Keyspace keyspace,
            PubsubSettings settings,
            Gate gate,
            MeterRegistry figures,
            InstantSource clock,
            BiConsumer<String, String> levels) {
        PubsubStore store = new PubsubStore(keyspace);
        wakes = new Wakes(keyspace.redis());
        Gauge.builder("millrace.pubsub.waiting", wakes, Wakes::waiting)
                .description("Polls and streams that wait for messages.")
                .register(figures);
        PubsubService service = new PubsubService(store, wakes, settings);
        Revocations revocations = new Revocations(keyspace, clock);
        ChannelGate channels =
                new ChannelGate(settings, new ChannelBook(settings), revocations, gate, clock);
        settings.logLevels()
                .forEach((category, level) -> LogCategory.show(category, level, levels));
        routes.addAll(new PubsubApi(service, channels, settings).routes());
        routes.addAll(new BatchApi(service, channels, settings).routes());
        routes.addAll(new PushApi(store, wakes, service, channels, settings).routes());
        AdminApi admin = new AdminApi(settings, revocations, gate, levels, System.err::println);
        routes.addAll(admin.routes());
        routes.addAll(new ChannelViewApi(store, admin, settings).routes());
        routes.addAll(new ProbeApi(settings, keyspace).routes());
    }

    /**
     * Opens the room.
     *
     * @param levels changes the level of a logger
     */
    public static Pubsub open(
            Keyspace keyspace,
            PubsubSettings settings,
            Gate gate,
            MeterRegistry figures,
            InstantSource clock,
            BiConsumer<String, String> levels) {
        return new Pubsub(keyspace, settings, gate, figures, clock, levels);
    }

    public List<Route> routes() {
        return List.copyOf(routes);
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
