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
    private final Webhooks webhooks;
    private final List<Route> routes;

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
        ChannelBook book = new ChannelBook(settings);
        webhooks = new Webhooks(keyspace, store, book, wakes, figures, clock);
        PubsubService service = new PubsubService(store, wakes, webhooks, settings);
        Revocations revocations = new Revocations(keyspace, clock);
        ChannelGate channels = new ChannelGate(settings, book, revocations, gate, clock);
        settings.logLevels()
                .forEach((category, level) -> LogCategory.show(category, level, levels));
        AdminApi admin = new AdminApi(settings, revocations, gate, levels, System.err::println);
        routes = new ArrayList<>(new PubsubApi(service, channels, settings).routes());
        routes.addAll(admin.routes());
        routes.addAll(new DeadLettersApi(settings, book, webhooks, admin).routes());
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
        Pubsub room = new Pubsub(keyspace, settings, gate, figures, clock, levels);
        if (settings.channels().stream().anyMatch(entry -> !entry.webhooks().isEmpty())) {
            room.webhooks.start();
        }
        return room;
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
        webhooks.close();
        wakes.close();
    }
}
