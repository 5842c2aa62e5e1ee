package dev.millrace.hub.notifications;

import dev.millrace.hub.mqtt.Topics;
import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.ChannelType;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.Transmission;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.regex.Pattern;

/** What must be right about something before it is stored; says what is not, in a sentence. */
final class Requirements {
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /** What a message channel may be called; which of these names are in use is its own room's. */
    private static final Pattern MESSAGE_CHANNEL = Pattern.compile("[0-9a-z][0-9a-z_-]{0,62}");

    private Requirements() {}

    static Optional<String> wrong(Notification given) {
        return id(given.id()).or(() -> contents(given));
    }

    private static Optional<String> contents(Notification given) {
        return required(given.slug(), "A notification needs a slug.")
                .or(() -> required(given.sender(), "A notification needs a sender."))
                .or(() -> required(given.category(), "A notification needs a category."))
                .or(() -> required(given.severity(), "A notification needs a severity."))
                .or(() -> required(given.content(), "A notification needs a content."));
    }

    static Optional<String> wrong(Subscription given) {
        return id(given.id())
                .or(() -> required(given.slug(), "A subscription needs a slug."))
                .or(
                        () ->
                                given.channels().stream()
                                        .map(Requirements::addresses)
                                        .flatMap(Optional::stream)
                                        .findFirst());
    }

    static Optional<String> wrong(Transmission given) {
        return id(given.id())
                .or(() -> ofNotification(given.notification()))
                .or(() -> required(given.receiver(), "A transmission needs a receiver."))
                .or(() -> ofChannel(given.channel()))
                .or(() -> required(given.status(), "A transmission needs a status."))
                .or(
                        () ->
                                given.resendCount() < 0
                                        ? Optional.of("The resendcount cannot be less than 0.")
                                        : Optional.empty());
    }

    private static Optional<String> ofNotification(@Nullable Notification sent) {
        return sent == null
                ? Optional.of("A transmission needs the notification that was sent.")
                : contents(sent);
    }

    private static Optional<String> ofChannel(@Nullable Channel channel) {
        return channel == null || channel.type() == null
                ? Optional.of("A transmission needs a channel with a type.")
                : addresses(channel);
    }

    private static Optional<String> addresses(Channel channel) {
        // A line break would let the sender of a body write headers of a mail.
        for (String address : channel.mailAddresses()) {
            if (address.indexOf('\r') >= 0 || address.indexOf('\n') >= 0) {
                return Optional.of("A mail address cannot contain a line break.");
            }
        }
        if (channel.type() == ChannelType.MQTT) {
            try {
                Topics.mustNotBeOurs(channel.topic());
            } catch (IllegalArgumentException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
        if (channel.type() == ChannelType.MESSAGE_CHANNEL
                && !MESSAGE_CHANNEL.matcher(channel.messageChannel()).matches()) {
            return Optional.of(
                    "The messageChannel of a channel has 1 to 63 small letters, digits, _ and -,"
                            + " and begins with a letter or digit.");
        }
        return Optional.empty();
    }

    private static Optional<String> id(String id) {
        return id.isEmpty() || UUID.matcher(id).matches()
                ? Optional.empty()
                : Optional.of(
                        "An id must be a UUID of 36 characters; omit it and one is generated.");
    }

    private static Optional<String> required(@Nullable Object member, String sentence) {
        return member == null || "".equals(member) ? Optional.of(sentence) : Optional.empty();
    }
}
