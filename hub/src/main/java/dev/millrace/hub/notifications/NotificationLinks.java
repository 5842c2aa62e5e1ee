package dev.millrace.hub.notifications;

import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionRecord;
import dev.millrace.hub.notifications.kept.TransmissionStore;
import dev.millrace.hub.why.Episode;
import dev.millrace.hub.why.Kind;
import dev.millrace.hub.why.Links;
import dev.millrace.hub.why.Part;
import dev.millrace.keyspace.commit.Stored;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Notifications and their deliveries as parts of chains. The slug of one says what it is about.
 * Thread-safe.
 */
record NotificationLinks(NotificationStore notifications, TransmissionStore transmissions)
        implements Links {
    private static final String CALL = "c-notification-";
    private static final int MOST_TRANSMISSIONS = 100;
    private static final Pattern OF_EXECUTION = Pattern.compile("(x[0-9a-z]+-[0-9a-z]+)-[0-9]+");

    @Override
    public Optional<Part> find(Kind kind, String id) {
        return switch (kind) {
            case NOTIFICATION -> bySlug(id).or(() -> notifications.get(id).map(each -> part(each)));
            case TRANSMISSION -> transmissions.get(id).map(each -> part(each.value()));
            case VALUE, CALL, MOMENT, ALARM, EXECUTION, COMMAND, READ_BACK -> Optional.empty();
        };
    }

    private Optional<Part> bySlug(String slug) {
        return notifications.bySlug(slug).map(each -> part(each));
    }

    @Override
    public Some startedBy(Part cause) {
        return cause.id().startsWith(CALL)
                ? Some.of(bySlug(cause.id().substring(CALL.length())).stream().toList())
                : Some.NONE;
    }

    @Override
    public Some after(Part part) {
        return switch (part.kind()) {
            case ALARM -> about(Stream.of(part.id()), part.ref());
            case EXECUTION -> about(part.leads(Kind.NOTIFICATION).stream(), part.ref());
            case NOTIFICATION -> {
                List<Transmission> some = transmissions.some(part.id(), MOST_TRANSMISSIONS);
                yield new Some(
                        some.stream().map(NotificationLinks::part).toList(),
                        some.size() < MOST_TRANSMISSIONS);
            }
            case VALUE, CALL, MOMENT, TRANSMISSION, COMMAND, READ_BACK -> Some.NONE;
        };
    }

    private Some about(Stream<String> slugs, Part.Ref what) {
        return Some.of(
                slugs.flatMap(each -> bySlug(each).stream())
                        .filter(each -> each.from().filter(what::equals).isPresent())
                        .toList());
    }

    private static Part part(Stored<Notification> stored) {
        Notification it = stored.value();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("id", stored.id());
        details.put("slug", it.slug());
        details.put("severity", String.valueOf(it.severity()));
        details.put("category", String.valueOf(it.category()));
        details.put("status", String.valueOf(it.status()));
        details.put("labels", it.labels());
        Optional<Part.Ref> from = from(it);
        Instant at = Instant.ofEpochMilli(it.created());
        return Part.of(Kind.NOTIFICATION, it.slug(), at, it.sender(), it.content())
                .with(details)
                .from(from)
                .causedBy(
                        from.isPresent()
                                ? Optional.empty()
                                : Part.cause(
                                        CALL + it.slug(),
                                        at,
                                        it.sender(),
                                        "Somebody sent a notification",
                                        Map.of()));
    }

    /**
     * The rooms of alarms and rules give their notifications slugs that say what they are about.
     */
    private static Optional<Part.Ref> from(Notification it) {
        Matcher execution = OF_EXECUTION.matcher(it.slug());
        if (it.sender().equals("alarms") && Episode.of(it.slug()).isPresent()) {
            return Optional.of(new Part.Ref(Kind.ALARM, it.slug()));
        }
        return it.sender().equals("rules") && execution.matches()
                ? Optional.of(new Part.Ref(Kind.EXECUTION, execution.group(1)))
                : Optional.empty();
    }

    private static Part part(Transmission it) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("receiver", it.receiver());
        details.put("channel", it.channel() == null ? "" : String.valueOf(it.channel().type()));
        details.put("status", String.valueOf(it.status()));
        details.put("resends", it.resendCount());
        details.put("attempts", it.records().stream().map(NotificationLinks::attempt).toList());
        String slug = it.slug();
        return Part.of(
                        Kind.TRANSMISSION,
                        it.id(),
                        Instant.ofEpochMilli(it.created()),
                        it.receiver(),
                        "To %s: %s".formatted(it.receiver(), it.status()))
                .with(details)
                .from(Optional.ofNullable(slug).map(each -> new Part.Ref(Kind.NOTIFICATION, each)));
    }

    private static Map<String, Object> attempt(TransmissionRecord record) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("status", record.status());
        line.put("response", record.response());
        line.put("at", Instant.ofEpochMilli(record.sent()).toString());
        return line;
    }
}
