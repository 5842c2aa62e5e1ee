package dev.millrace.hub.notifications;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.Configured;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.notifications.delivery.Courier;
import dev.millrace.hub.notifications.delivery.Delivery;
import dev.millrace.hub.notifications.delivery.DeliveryMetrics;
import dev.millrace.hub.notifications.delivery.Dispatcher;
import dev.millrace.hub.notifications.delivery.Distribution;
import dev.millrace.hub.notifications.delivery.Escalation;
import dev.millrace.hub.notifications.delivery.MailSender;
import dev.millrace.hub.notifications.delivery.MessageSender;
import dev.millrace.hub.notifications.delivery.MqttSender;
import dev.millrace.hub.notifications.delivery.NotificationsSettings;
import dev.millrace.hub.notifications.delivery.Receivers;
import dev.millrace.hub.notifications.delivery.RestSender;
import dev.millrace.hub.notifications.kept.NotificationShelf;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.NotificationsLayouts;
import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.hub.notifications.kept.TransmissionShelf;
import dev.millrace.hub.notifications.kept.TransmissionStore;
import dev.millrace.hub.pubsub.Publishing;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.why.Links;
import dev.millrace.hub.work.Patience;
import dev.millrace.hub.work.Retention;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** The room of notifications, subscriptions and transmissions. Thread-safe once it is started. */
public final class Notifications implements Room, Configured, Notifying {
    private final Publishing messages;
    private final List<Route> routes = new ArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    private Map<String, Map<String, Object>> config = Map.of();
    private Supplier<List<String>> warnings = List::of;
    private @Nullable Notifying service;
    private volatile @Nullable Links links;

    /**
     * The room.
     *
     * @param messages what publishes to message channels; started before this room
     */
    public Notifications(Publishing messages) {
        this.messages = messages;
    }

    @Override
    public String name() {
        return NotificationsApi.ROOM;
    }

    @Override
    public String about() {
        return "Notifications, subscriptions and transmissions.";
    }

    @Override
    public List<Declaration> declarations() {
        return NotificationsLayouts.all();
    }

    @Override
    public Optional<Block<?>> settings() {
        return Optional.of(NotificationsSettings.BLOCK);
    }

    @Override
    public List<LiveFeed> feeds() {
        return List.of(LiveFeed.of(name(), NotificationStore.TOPIC, Role.VIEWER, name()));
    }

    @Override
    public void start(House house) {
        NotificationsSettings settings = house.settings(NotificationsSettings.BLOCK);
        Keyspace keyspace = house.keyspace();
        MeterRegistry registry = house.figures();
        InstantSource clock = house.clock();
        Outboxes outboxes = new Outboxes(keyspace);
        NotificationStore notifications = new NotificationStore(keyspace);
        SubscriptionStore subscriptions = new SubscriptionStore(keyspace, outboxes);
        TransmissionStore transmissions = new TransmissionStore(keyspace);
        DeliveryMetrics figures = new DeliveryMetrics(registry);
        Patience patience = new Patience();
        Courier courier =
                new Courier(
                        new RestSender(house.outside(), settings.rest(), settings.sending()),
                        new MailSender(settings.smtp(), settings.sending(), clock),
                        new MqttSender(house.mqtt()),
                        new MessageSender(messages),
                        settings.sending().timeOut());
        Delivery delivery =
                new Delivery(
                        notifications,
                        subscriptions,
                        transmissions,
                        new Escalation(notifications, subscriptions, clock),
                        courier,
                        settings.sending(),
                        patience,
                        figures,
                        clock);
        Receivers receivers = new Receivers(subscriptions, outboxes, figures, clock);
        Dispatcher dispatcher =
                new Dispatcher(
                        notifications,
                        receivers,
                        outboxes,
                        new Distribution(notifications, subscriptions, outboxes, clock),
                        delivery,
                        patience,
                        courier,
                        settings.sending());
        NotificationsService service =
                new NotificationsService(
                        notifications,
                        subscriptions,
                        transmissions,
                        settings.normalBatch(),
                        clock,
                        dispatcher::wake);
        this.service = service;
        links = new NotificationLinks(notifications, transmissions);
        Retention ofNotifications =
                Retention.start(
                        keyspace,
                        "notifications",
                        settings.keep(),
                        new NotificationShelf(keyspace, notifications),
                        registry,
                        clock);
        Retention ofTransmissions =
                Retention.start(
                        keyspace,
                        "transmissions",
                        TransmissionShelf.keep(settings.keep()),
                        new TransmissionShelf(transmissions),
                        registry,
                        clock);
        opened.push(ofNotifications::close);
        opened.push(ofTransmissions::close);
        opened.push(dispatcher::close);
        ListsApi lists = new ListsApi(settings.maxResults());
        routes.addAll(new NotificationsApi(service, notifications, lists).routes());
        routes.addAll(new SubscriptionsApi(service, subscriptions).routes());
        routes.addAll(new TransmissionsApi(service, transmissions, lists).routes());
        config = settings.config();
        warnings = receivers::warnings;
        dispatcher.start();
    }

    /** Its part of chains. */
    public Links links() {
        return Links.later(() -> links);
    }

    private Notifying service() {
        return Objects.requireNonNull(service, "The room of notifications is not started.");
    }

    @Override
    public void tell(
            String slug, String sender, boolean critical, String content, List<String> labels) {
        service().tell(slug, sender, critical, content, labels);
    }

    @Override
    public void close(String slug, String label) {
        service().close(slug, label);
    }

    /** Our part of the configuration that clients of EdgeX ask for. */
    @Override
    public Map<String, Map<String, Object>> config() {
        return config;
    }

    @Override
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public List<String> warnings() {
        return warnings.get();
    }

    @Override
    public void stop() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
