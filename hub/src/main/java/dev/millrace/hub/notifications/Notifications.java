package dev.millrace.hub.notifications;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.work.Retention;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Topic;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The room: its parts, made once for a hub. */
public final class Notifications implements AutoCloseable {
    /** What was posted, as it is posted. */
    public static final Topic TOPIC = NotificationStore.TOPIC;

    /** The same for live pages. */
    public static final LiveFeed LIVE_FEED =
            LiveFeed.of("notifications", TOPIC, Role.VIEWER, NotificationsApi.ROOM);

    private final NotificationsSettings settings;
    private final Dispatcher dispatcher;
    private final Retention ofNotifications;
    private final Retention ofTransmissions;
    private final Receivers receivers;
    private final List<Route> routes = new ArrayList<>();

    private Notifications(
            Keyspace keyspace,
            NotificationsSettings settings,
            Mqtt mqtt,
            MessageSink messages,
            MeterRegistry registry,
            InstantSource clock) {
        this.settings = settings;
        Outboxes outboxes = new Outboxes(keyspace);
        NotificationStore notifications = new NotificationStore(keyspace);
        SubscriptionStore subscriptions = new SubscriptionStore(keyspace, outboxes);
        TransmissionStore transmissions = new TransmissionStore(keyspace);
        DeliveryMetrics figures = new DeliveryMetrics(registry);
        Patience patience = new Patience();
        Courier courier =
                new Courier(
                        new RestSender(settings.rest(), settings.sending()),
                        new MailSender(settings.mail(), settings.sending(), clock),
                        new MqttSender(mqtt),
                        new MessageSender(messages),
                        settings.sending().timeOut());
        Delivery delivery =
                new Delivery(
                        notifications,
                        subscriptions,
                        transmissions,
                        new Escalation(notifications, subscriptions, clock),
                        courier,
                        BackOff.of(settings.sending()),
                        patience,
                        figures,
                        clock);
        receivers = new Receivers(subscriptions, outboxes, figures, clock);
        dispatcher =
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
        ofNotifications =
                Retention.start(
                        keyspace,
                        "notifications",
                        settings.keep(),
                        new NotificationShelf(keyspace, notifications),
                        registry,
                        clock);
        ofTransmissions =
                Retention.start(
                        keyspace,
                        "transmissions",
                        TransmissionShelf.keep(settings.keep()),
                        new TransmissionShelf(transmissions),
                        registry,
                        clock);
        Lists lists = new Lists(settings.maxResults());
        routes.addAll(new NotificationsApi(service, notifications, lists).routes());
        routes.addAll(new SubscriptionsApi(service, subscriptions).routes());
        routes.addAll(new TransmissionsApi(service, transmissions, lists).routes());
    }

    /**
     * Opens the room; what others left to be delivered is delivered from now on.
     *
     * @param messages what publishes to message channels
     */
    public static Notifications open(
            Keyspace keyspace,
            NotificationsSettings settings,
            Mqtt mqtt,
            MessageSink messages,
            MeterRegistry registry,
            InstantSource clock) {
        Notifications room = new Notifications(keyspace, settings, mqtt, messages, registry, clock);
        room.dispatcher.start();
        return room;
    }

    /** Our part of the configuration that clients of EdgeX ask for. */
    public Map<String, Map<String, Object>> config() {
        return settings.config();
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /** What an operator should look at; none of it keeps the hub from working. */
    public List<String> warnings() {
        return receivers.warnings();
    }

    @Override
    public void close() {
        ofTransmissions.close();
        ofNotifications.close();
        dispatcher.close();
    }
}
