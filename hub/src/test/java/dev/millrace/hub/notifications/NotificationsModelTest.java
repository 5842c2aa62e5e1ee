package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.notifications.kept.Category;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.NotificationsLayouts;
import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.hub.notifications.kept.Severity;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.hub.notifications.kept.TransmissionStore;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Random operations of the service beside a plain model of them; then nothing has drifted. */
@OnEachSite
final class NotificationsModelTest {
    @Parameter Site site;

    private static final int OPERATIONS = 600;
    private static final List<String> SLUGS = List.of("a", "b", "c", "d", "e", "f");
    private static final List<String> LABELS = List.of("x", "y", "z");

    private final Map<String, Notification> notifications = new TreeMap<>();
    private final Map<String, Subscription> subscriptions = new TreeMap<>();
    private final Map<String, Transmission> transmissions = new TreeMap<>();
    private long now = 1_000_000;
    private Random random;
    private NotificationStore notificationStore;
    private SubscriptionStore subscriptionStore;
    private TransmissionStore transmissionStore;
    private NotificationsService service;

    String url() {
        return site.url();
    }

    @Test
    void the_service_does_what_the_model_does() {
        String url = url();
        SharedServers.flushAll();
        long seed = new Random().nextLong();
        random = new Random(seed);
        try (Redis redis = Redis.open(Patience.options(url))) {
            Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(NotificationsLayouts.all()));
            Outboxes outboxes = new Outboxes(keyspace);
            InstantSource clock = () -> Instant.ofEpochMilli(now);
            notificationStore = new NotificationStore(keyspace);
            subscriptionStore = new SubscriptionStore(keyspace, outboxes);
            transmissionStore = new TransmissionStore(keyspace);
            service =
                    new NotificationsService(
                            notificationStore,
                            subscriptionStore,
                            transmissionStore,
                            Optional.empty(),
                            clock,
                            () -> {});
            for (int i = 0; i < OPERATIONS; i++) {
                now += random.nextInt(50);
                operation();
                if (i % 50 == 0) {
                    compare("seed " + seed + " operation " + i);
                }
            }
            compare("seed " + seed);
            assertThat(keyspace.check().run().findings()).as("seed " + seed).isEmpty();
        }
    }

    private String slug() {
        return SLUGS.get(random.nextInt(SLUGS.size()));
    }

    private List<String> labels() {
        return LABELS.stream().filter(each -> random.nextBoolean()).toList();
    }

    private void operation() {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> addNotification();
            case 3 -> deleteNotification();
            case 4 -> addSubscription();
            case 5 -> replaceSubscription();
            case 6 -> deleteSubscription();
            case 7, 8 -> addTransmission();
            default -> deleteOld();
        }
    }

    private void addNotification() {
        Notification wish =
                new Notification(
                        0,
                        0,
                        0,
                        "",
                        slug(),
                        "sender" + random.nextInt(2),
                        Category.SECURITY,
                        Severity.NORMAL,
                        "c",
                        "",
                        null,
                        labels(),
                        "");
        boolean free = notifications.values().stream().noneMatch(n -> n.slug().equals(wish.slug()));
        switch (service.add(wish)) {
            case Accepted.Stored(String id) -> {
                assertThat(free).isTrue();
                notifications.put(id, wish.arrived(id, NotificationStatus.PROCESSED, now));
            }
            case Accepted.Refused why -> assertThat(free).as(why.sentence()).isFalse();
        }
    }

    private void deleteNotification() {
        String slug = slug();
        boolean there = notifications.values().removeIf(n -> n.slug().equals(slug));
        assertThat(service.deleteNotificationWithSlug(slug)).isEqualTo(there);
        if (there) {
            transmissions.values().removeIf(t -> slug.equals(t.slug()));
        }
    }

    private Subscription wish() {
        return new Subscription(
                0,
                0,
                0,
                "",
                slug(),
                "receiver" + random.nextInt(2),
                "",
                random.nextBoolean() ? List.of(Category.SECURITY) : List.of(),
                labels(),
                List.of());
    }

    private Optional<Subscription> subscription(String slug) {
        return subscriptions.values().stream().filter(s -> s.slug().equals(slug)).findFirst();
    }

    private void addSubscription() {
        Subscription wish = wish();
        boolean free = subscription(wish.slug()).isEmpty();
        switch (service.add(wish)) {
            case Accepted.Stored(String id) -> {
                assertThat(free).isTrue();
                assertThat(subscriptionStore.bySlug(wish.slug()).map(Stored::id)).contains(id);
                subscriptions.put(id, wish.arrived(id, now));
            }
            case Accepted.Refused why -> assertThat(free).as(why.sentence()).isFalse();
        }
    }

    private void replaceSubscription() {
        Subscription wish = wish();
        Optional<Subscription> before = subscription(wish.slug());
        assertThat(service.replace(wish) instanceof Accepted.Stored).isEqualTo(before.isPresent());
        before.ifPresent(old -> subscriptions.put(old.id(), wish.inPlaceOf(old, now)));
    }

    private void deleteSubscription() {
        String slug = slug();
        assertThat(service.delete(subscriptionStore.bySlug(slug)))
                .isEqualTo(subscriptions.values().removeIf(s -> s.slug().equals(slug)));
    }

    private void addTransmission() {
        TransmissionStatus[] states = TransmissionStatus.values();
        Transmission wish =
                Samples.transmission(
                        "",
                        slug(),
                        states[random.nextInt(states.length)],
                        random.nextInt(3),
                        random.nextBoolean() ? 0 : random.nextInt(1_000_000));
        switch (service.add(wish)) {
            case Accepted.Stored(String id) -> transmissions.put(id, wish.arrived(id, now));
            case Accepted.Refused why -> throw new AssertionError(why.sentence());
        }
    }

    private void deleteOld() {
        long age = random.nextInt(20_000);
        long until = now - age;
        switch (random.nextInt(3)) {
            case 0 -> {
                service.deleteProcessed(age);
                forget(n -> n.modified() <= until);
            }
            case 1 -> {
                service.cleanUp(age);
                forget(n -> n.created() <= until);
            }
            default -> {
                service.deleteTransmissions(TransmissionStatus.SENT, age);
                transmissions
                        .values()
                        .removeIf(
                                t ->
                                        t.status() == TransmissionStatus.SENT
                                                && t.modified() <= until);
            }
        }
    }

    private void forget(Predicate<Notification> which) {
        List<Notification> gone = notifications.values().stream().filter(which).toList();
        for (Notification each : gone) {
            notifications.remove(each.id());
            transmissions.values().removeIf(t -> each.slug().equals(t.slug()));
        }
    }

    // ---------------------------------------------------------------- comparing

    private void compare(String where) {
        assertThat(values(notificationStore.byCreated(0, 1e18, 0)))
                .as(where)
                .containsExactlyInAnyOrderElementsOf(notifications.values());
        for (String label : LABELS) {
            assertThat(values(notificationStore.byLabels(List.of(label, "x"), 0)))
                    .as(where)
                    .containsExactlyElementsOf(
                            notifications.values().stream()
                                    .filter(
                                            n ->
                                                    n.labels().contains(label)
                                                            || n.labels().contains("x"))
                                    .toList());
            assertThat(values(subscriptionStore.byAny(List.of("SECURITY"), List.of(label))))
                    .as(where)
                    .containsExactlyElementsOf(
                            subscriptions.values().stream()
                                    .filter(
                                            s ->
                                                    !s.subscribedCategories().isEmpty()
                                                            || s.subscribedLabels().contains(label))
                                    .toList());
        }
        assertThat(values(subscriptionStore.all()))
                .as(where)
                .containsExactlyElementsOf(subscriptions.values());
        for (String slug : SLUGS) {
            assertThat(values(transmissionStore.bySlug(slug, 0, Long.MAX_VALUE, 0)))
                    .as(where)
                    .containsExactlyElementsOf(
                            transmissions.values().stream()
                                    .filter(t -> slug.equals(t.slug()))
                                    .sorted(
                                            Comparator.comparingLong(Transmission::created)
                                                    .thenComparing(Transmission::id))
                                    .toList());
        }
        for (TransmissionStatus status : TransmissionStatus.values()) {
            assertThat(values(transmissionStore.byStatus(status, 0)))
                    .as(where)
                    .containsExactlyElementsOf(
                            transmissions.values().stream()
                                    .filter(t -> t.status() == status)
                                    .sorted(
                                            Comparator.comparingInt(Transmission::resendCount)
                                                    .thenComparing(Transmission::id))
                                    .toList());
        }
    }

    private static <E> List<E> values(Iterator<Stored<E>> found) {
        List<E> all = new ArrayList<>();
        found.forEachRemaining(each -> all.add(each.value()));
        return all;
    }
}
