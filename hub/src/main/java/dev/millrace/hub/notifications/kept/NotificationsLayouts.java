package dev.millrace.hub.notifications.kept;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Leftover;

import java.util.ArrayList;
import java.util.List;

/** The keys of notifications, subscriptions and transmissions. */
public final class NotificationsLayouts {
    public static final Layout<Notification> NOTIFICATIONS =
            Layout.json("{id:id}", Notification.class, KeyGrammars.ALL)
                    .about("A message for people.")
                    .ownedBy("slug")
                    .kind("notification")
                    .sorted("notification", 0)
                    .unique("notification:slug", "slug")
                    .sorted("notification:sender:{sender}", 0)
                    .sorted("notification:status:{status:constant}", 0)
                    .sorted("notification:severity:{severity:constant}", 0)
                    .sorted("notification:created", Notification::created)
                    .sorted("notification:modified", Notification::modified)
                    .bind("label", Notification::labels)
                    .sorted("notification:label:{label}", 0);

    public static final Layout<Subscription> SUBSCRIPTIONS =
            Layout.json("{id:id}", Subscription.class, KeyGrammars.ALL)
                    .about("Who receives which notifications.")
                    .ownedBySite()
                    .kind("subscription")
                    .sorted("subscription", 0)
                    .unique("subscription:slug", "slug")
                    .sorted("subscription:receiver:{receiver}", 0)
                    .bind("label", Subscription::subscribedLabels)
                    .set("subscription:label:{label}")
                    .bind("category", Subscription::subscribedCategories)
                    .set("subscription:category:{category:constant}");

    /** The slug's index is scored by the resend count, as the table says, and not by time. */
    public static final Layout<Transmission> TRANSMISSIONS =
            Layout.json("{id:id}", Transmission.class, KeyGrammars.ALL)
                    .about("The delivery of one notification to one address.")
                    .bind("slug", Transmission::slug)
                    .ownedBy("slug")
                    .kind("transmission")
                    .sorted("transmission", 0)
                    .sorted("transmission:slug:{slug}", Transmission::resendCount)
                    .sorted("transmission:status:{status:constant}", Transmission::resendCount)
                    .bind("resendcount", Transmission::resendCount)
                    .sorted(
                            "transmission:resendcount:{resendcount:count}",
                            Transmission::resendCount)
                    .sorted("transmission:created", Transmission::created)
                    .sorted("transmission:modified", Transmission::modified);

    private static final String EMPTY_NAME =
            "The reference also indexes what is empty; everything in it is found by its kind.";

    /** What the reference leaves in a database that is taken over. */
    private static final List<Leftover> LEFTOVERS =
            List.of(
                    Leftover.of(
                            KeyType.SORTED_SET,
                            "transmission:resendcount",
                            "All resend counts in one key; here each count has its own."),
                    Leftover.of(KeyType.SORTED_SET, "notification:label:", EMPTY_NAME),
                    Leftover.of(KeyType.SORTED_SET, "subscription:receiver:", EMPTY_NAME),
                    Leftover.of(KeyType.SET, "subscription:label:", EMPTY_NAME));

    private NotificationsLayouts() {}

    public static List<Declaration> all() {
        List<Declaration> all = new ArrayList<>();
        all.addAll(List.of(NOTIFICATIONS, SUBSCRIPTIONS, TRANSMISSIONS));
        all.addAll(LEFTOVERS);
        return all;
    }
}
