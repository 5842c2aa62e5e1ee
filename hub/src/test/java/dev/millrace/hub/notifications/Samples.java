package dev.millrace.hub.notifications;

import dev.millrace.hub.notifications.kept.Category;
import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.Severity;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionStatus;

import java.util.List;

/** Things as tests need them. */
public final class Samples {
    private Samples() {}

    public static Notification notification(String id, String slug) {
        return new Notification(
                5,
                6,
                0,
                id,
                slug,
                "boiler",
                Category.SW_HEALTH,
                Severity.CRITICAL,
                "It burns.",
                "",
                NotificationStatus.NEW,
                List.of("hot"),
                "");
    }

    static Subscription subscription(String id, String slug, Channel... channels) {
        return new Subscription(
                5,
                6,
                0,
                id,
                slug,
                "ann",
                "",
                List.of(Category.SECURITY),
                List.of("a", "b"),
                List.of(channels));
    }

    static Transmission transmission(
            String id, String slug, TransmissionStatus status, int resends, long time) {
        return new Transmission(
                time,
                time,
                0,
                id,
                notification("", slug),
                "ann",
                Channel.rest("http://example.org/"),
                status,
                resends,
                List.of());
    }

    /** JSON of a notification, as clients send it. */
    static String json(String slug, String severity, String... more) {
        return """
        {"slug":"%s","sender":"boiler","category":"SW_HEALTH","severity":"%s","content":"It burns."%s}\
        """
                .formatted(slug, severity, more.length == 0 ? "" : "," + String.join(",", more));
    }
}
