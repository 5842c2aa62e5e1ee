package dev.millrace.hub.pubsub;

import dev.millrace.hub.house.Chosen;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.CallLog;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.pubsub.channels.ChannelGate;
import dev.millrace.hub.pubsub.channels.MessageNames;
import dev.millrace.hub.pubsub.channels.PubsubLayouts;
import dev.millrace.hub.pubsub.channels.PubsubStore;
import dev.millrace.hub.pubsub.channels.RefusedException;
import dev.millrace.hub.pubsub.channels.Revocations;
import dev.millrace.hub.pubsub.channels.Wakes;
import dev.millrace.hub.pubsub.config.ChannelBook;
import dev.millrace.hub.pubsub.config.ChannelRules;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.hub.pubsub.config.RealIp;
import dev.millrace.hub.pubsub.webhooks.Webhooks;
import dev.millrace.hub.settings.Block;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.Gauge;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** The room of message channels. Thread-safe once it is started. */
public final class Pubsub implements Room, Publishing {
    private final List<Route> routes = new ArrayList<>();
    private @Nullable Parts parts;

    /** What there is once the room is started. */
    private record Parts(Wakes wakes, ChannelBook book, PubsubService service, Webhooks webhooks) {}

    private Parts parts() {
        return Objects.requireNonNull(parts, "The room of message channels is not started.");
    }

    @Override
    public String name() {
        return ChannelGate.ROOM;
    }

    @Override
    public String about() {
        return "Durable messages. The double braces stand for the braces in the key.";
    }

    @Override
    public List<Declaration> declarations() {
        return PubsubLayouts.all();
    }

    @Override
    public Optional<Block<?>> settings() {
        return Optional.of(PubsubSettings.BLOCK);
    }

    @Override
    public List<String> remarks(Chosen settings) {
        return settings.of(PubsubSettings.BLOCK).warnings().stream()
                .map(each -> "Pub/sub: " + each)
                .toList();
    }

    @Override
    public void claim(Owners owners, Chosen chosen) {
        PubsubSettings settings = chosen.of(PubsubSettings.BLOCK);
        String prefix = settings.pathPrefix();
        Owner plain =
                Owner.compatible("pubsub", new PubsubErrors(prefix))
                        .sending(settings.defaultHeaders())
                        .noting(calls(settings));
        owners.below(
                settings.cors().map(plain::allowingPages).orElse(plain),
                prefix + "/channel",
                prefix + "/admin",
                prefix + "/probe");
    }

    @Override
    public void start(House house) {
        PubsubSettings settings = house.settings(PubsubSettings.BLOCK);
        Keyspace keyspace = house.keyspace();
        PubsubStore store = new PubsubStore(keyspace);
        Wakes wakes = new Wakes(keyspace.redis());
        Gauge.builder("millrace.pubsub.waiting", wakes, Wakes::waiting)
                .description("Polls and streams that wait for messages.")
                .register(house.figures());
        ChannelBook book = new ChannelBook(settings);
        Webhooks webhooks =
                new Webhooks(
                        keyspace,
                        store,
                        book,
                        wakes,
                        house.outside(),
                        house.figures(),
                        house.clock());
        PubsubService service = new PubsubService(store, wakes, webhooks, settings);
        parts = new Parts(wakes, book, service, webhooks);
        Revocations revocations = new Revocations(keyspace, house.clock());
        ChannelGate channels =
                new ChannelGate(settings, book, revocations, house.gate(), house.clock());
        LogCategory categories = new LogCategory(house.levels());
        settings.logLevels().forEach(categories::show);
        routes.addAll(new PubsubApi(service, channels, settings).routes());
        routes.addAll(new BatchApi(service, channels, settings).routes());
        routes.addAll(new PushApi(store, wakes, service, channels, settings).routes());
        AdminApi admin = new AdminApi(settings, revocations, house.gate(), categories);
        routes.addAll(admin.routes());
        routes.addAll(new ChannelViewApi(keyspace, admin, settings).routes());
        routes.addAll(new DeadLettersApi(settings, book, webhooks, admin).routes());
        routes.addAll(new ProbeApi(settings, keyspace).routes());
        if (settings.channels().stream().anyMatch(entry -> !entry.webhooks().isEmpty())) {
            webhooks.start();
        }
    }

    /** What is written about the calls of this room, once somebody wants it. */
    private static CallLog calls(PubsubSettings settings) {
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
    @Override
    public void publish(String channel, String id, byte[] json) {
        ChannelRules rules =
                parts().book
                        .rules(channel)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "%s is not a message channel: no entry of pubsub.channels matches it."
                                                        .formatted(channel)));
        try {
            parts().service.publish(channel, rules, MessageNames.of(id, "messageID"), json).join();
        } catch (RefusedException refused) {
            throw new IllegalArgumentException(refused.getMessage(), refused);
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RefusedException refused ->
                        throw new IllegalArgumentException(refused.getMessage(), refused);
                case RedisException redis -> throw redis;
                case null, default -> throw e;
            }
        }
    }

    @Override
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /** Nobody waits for messages any more. */
    @Override
    public void letGo() {
        parts().wakes.stop();
    }

    @Override
    public void stop() {
        Parts there = parts;
        if (there != null) {
            there.webhooks.close();
            there.wakes.close();
        }
    }
}
