package dev.millrace.hub.notifications;

import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.ChannelType;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.Transmission;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.mqtt.Topics;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/** What must be right about something before it is stored; what is not is told to its sender. */
final class Rules {
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /** What a message channel may be called; which of these names are in use is its own room's. */
    private static final Pattern MESSAGE_CHANNEL = Pattern.compile("[0-9a-z][0-9a-z_-]{0,62}");

    private Rules() {}

    static void check(Notification given) {
        id(given.id());
        contents(given);
    }

    private static void contents(Notification given) {
        required(given.slug(), "A notification needs a slug.");
        required(given.sender(), "A notification needs a sender.");
        required(given.category(), "A notification needs a category.");
        required(given.severity(), "A notification needs a severity.");
        required(given.content(), "A notification needs a content.");
    }

    static void check(Subscription given) {
        id(given.id());
        required(given.slug(), "A subscription needs a slug.");
        given.channels().forEach(Rules::addresses);
    }

    static void check(Transmission given) {
        id(given.id());
        Notification notification = given.notification();
        if (notification == null) {
            throw wrong("A transmission needs the notification that was sent.");
        }
        contents(notification);
        required(given.receiver(), "A transmission needs a receiver.");
        Channel channel = given.channel();
        if (channel == null || channel.type() == null) {
            throw wrong("A transmission needs a channel with a type.");
        }
        addresses(channel);
        required(given.status(), "A transmission needs a status.");
        if (given.resendCount() < 0) {
            throw wrong("The resendcount cannot be less than 0.");
        }
    }

    /** A line break would let the sender of a body write headers of a mail. */
    private static void addresses(Channel channel) {
        for (String address : channel.mailAddresses()) {
            if (address.indexOf('\r') >= 0 || address.indexOf('\n') >= 0) {
                throw wrong("A mail address cannot contain a line break.");
            }
        }
        if (channel.type() == ChannelType.MQTT) {
            try {
                Topics.mustNotBeOurs(channel.topic());
            } catch (IllegalArgumentException e) {
                throw wrong(String.valueOf(e.getMessage()));
            }
        }
        if (channel.type() == ChannelType.MESSAGE_CHANNEL
                && !MESSAGE_CHANNEL.matcher(channel.messageChannel()).matches()) {
            throw wrong(
                    "The messageChannel of a channel has 1 to 63 small letters, digits, _ and -,"
                            + " and begins with a letter or digit.");
        }
    }

    private static void id(String id) {
        if (!id.isEmpty() && !UUID.matcher(id).matches()) {
            throw wrong("An id must be a UUID of 36 characters; leave it away to get one.");
        }
    }

    private static void required(@Nullable Object member, String sentence) {
        if (member == null || "".equals(member)) {
            throw wrong(sentence);
        }
    }

    private static Problem wrong(String sentence) {
        return Problem.of(Code.BAD_BODY, sentence);
    }
}
