package dev.millrace.hub.pubsub;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.CallLog;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.LoggerFactory;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The room of message channels, made once for a hub. Thread-safe. */
public final class Pubsub implements AutoCloseable {
    private final Wakes wakes;
    private final ChannelBook book;
    private final PubsubService service;
    private final Webhooks webhooks;
    private final List<Route> routes = new ArrayList<>();

    private Pubsub(
            Keyspace keyspace,
            PubsubSettings settings,
            Gate gate,
            MeterRegistry figures,
            InstantSource clock,
            BiConsumer<String, String> levels,
            Consumer<AdminToken> show) {
        PubsubStore store = new PubsubStore(keyspace);
        wakes = new Wakes(keyspace.redis());
        Gauge.builder("millrace.pubsub.waiting", wakes, Wakes::waiting)
                .description("Polls and streams that wait for messages.")
                .register(figures);
        book = new ChannelBook(settings);
        webhooks = new Webhooks(keyspace, store, book, wakes, figures, clock);
        service = new PubsubService(store, wakes, webhooks, settings);
        Revocations revocations = new Revocations(keyspace, clock);
        ChannelGate channels = new ChannelGate(settings, book, revocations, gate, clock);
        LogCategory categories = new LogCategory(levels);
        settings.logLevels().forEach(categories::show);
        routes.addAll(new PubsubApi(service, channels, settings).routes());
        routes.addAll(new BatchApi(service, channels, settings).routes());
        routes.addAll(new PushApi(store, wakes, service, channels, settings).routes());
        AdminApi admin = new AdminApi(settings, revocations, gate, categories, show);
        routes.addAll(admin.routes());
        routes.addAll(new ChannelViewApi(keyspace, admin, settings).routes());
        routes.addAll(new DeadLettersApi(settings, book, webhooks, admin).routes());
        routes.addAll(new ProbeApi(settings, keyspace).routes());
    }

    /**
     * Opens the room.
     *
     * @param levels changes the level of a logger
     * @param show where a token that was made is shown; never the log, which others read
     */
    public static Pubsub open(
            Keyspace keyspace,
            PubsubSettings settings,
            Gate gate,
            MeterRegistry figures,
            InstantSource clock,
            BiConsumer<String, String> levels,
            Consumer<AdminToken> show) {
        Pubsub room = new Pubsub(keyspace, settings, gate, figures, clock, levels, show);
        if (settings.channels().stream().anyMatch(entry -> !entry.webhooks().isEmpty())) {
            room.webhooks.start();
        }
        return room;
    }

    /** What is written about the calls of this room, once somebody wants it. */
    public static CallLog calls(PubsubSettings settings) {
        RealIp realIp = RealIp.of(settings);
        return new CallLog(
                LoggerFactory.getLogger(LogCategory.CALLS),
                realIp::of,
                Map.of(ChannelGate.CHANNEL, "channelID", PubsubApi.SUBSCRIBER, "subscriberID"));
    }

    /**
     * Publishes for another room, once: a second message with the same id changes nothing.
     *
     * @throws IllegalArgumentException with a sentence, if this cannot be published there
     * @throws dev.millrace.keyspace.redis.outcome.RedisException if it could not be stored
     */
    public void publish(String channel, String id, byte[] json) {
        ChannelRules rules =
                book.rules(channel)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "%s is no message channel: no entry of pubsub.channels matches it."
                                                        .formatted(channel)));
        try {
            service.publish(channel, rules, Ids.of(id, "messageID"), json).join();
        } catch (Refused refused) {
            throw new IllegalArgumentException(refused.getMessage(), refused);
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case Refused refused ->
                        throw new IllegalArgumentException(refused.getMessage(), refused);
                case RedisException redis -> throw redis;
                case null, default -> throw e;
            }
        }
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
