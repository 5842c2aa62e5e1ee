package dev.millrace.hub.notifications.delivery;

import com.fasterxml.jackson.annotation.JsonProperty;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.notifications.kept.Category;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.Severity;
import dev.millrace.hub.pubsub.Publishing;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Sends notifications to a message channel. The id of the message is that of the transmission, so
 * that a second attempt after a lost answer is a duplicate there. Sent means that the message is
 * stored; who reads the channel is not our business. Thread-safe.
 */
public final class MessageSender {
    private static final String USUAL_TYPE = "text/plain";

    private final Publishing sink;

    public MessageSender(Publishing sink) {
        this.sink = sink;
    }

    /** What readers of the channel get. */
    private record Content(
            String slug,
            String sender,
            @Nullable Category category,
            @Nullable Severity severity,
            String content,
            @JsonProperty("contenttype") String contentType,
            List<String> labels) {

        static Content of(Notification notification) {
            return new Content(
                    notification.slug(),
                    notification.sender(),
                    notification.category(),
                    notification.severity(),
                    notification.content(),
                    notification.contentType().isBlank() ? USUAL_TYPE : notification.contentType(),
                    notification.labels());
        }
    }

    Attempt send(Notification notification, String transmission, String channel) {
        try {
            sink.publish(
                    channel, transmission, Json.MAPPER.writeValueAsBytes(Content.of(notification)));
            return Attempt.sent("The message channel has it.");
        } catch (IllegalArgumentException e) {
            return Attempt.failed("This cannot be sent: " + e.getMessage());
        } catch (RedisException e) {
            return Attempt.failed("It could not be stored: " + e.getMessage());
        }
    }
}
