package dev.millrace.hub.notifications.kept;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A message for people, to be delivered to whoever subscribed.
 *
 * @param created in ms since 1970, as are all times here
 * @param origin whatever the client says
 * @param slug the name its client gave it; unique
 * @param content the text that is sent
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record Notification(
        long created,
        long modified,
        long origin,
        String id,
        String slug,
        String sender,
        @Nullable Category category,
        @Nullable Severity severity,
        String content,
        String description,
        @Nullable NotificationStatus status,
        List<String> labels,
        @JsonProperty("contenttype") String contentType) {

    /** What JSON left away is empty. */
    public Notification {
        id = Texts.text(id);
        slug = Texts.text(slug);
        sender = Texts.text(sender);
        content = Texts.text(content);
        description = Texts.text(description);
        labels = Texts.texts(labels);
        contentType = Texts.text(contentType);
    }

    /** As it is stored when it comes in. */
    public Notification arrived(String newId, NotificationStatus newStatus, long now) {
        return new Notification(
                created == 0 ? now : created,
                now,
                origin,
                newId,
                slug,
                sender,
                category,
                severity,
                content,
                description,
                newStatus,
                labels,
                contentType);
    }

    public Notification withStatus(NotificationStatus newStatus, long now) {
        return new Notification(
                created,
                now,
                origin,
                id,
                slug,
                sender,
                category,
                severity,
                content,
                description,
                newStatus,
                labels,
                contentType);
    }

    /** What it was about is over. One that waits for its batch need not be sent any more. */
    public Notification closed(String label, long now) {
        List<String> more = new ArrayList<>(labels);
        more.add(label);
        return new Notification(
                created,
                now,
                origin,
                id,
                slug,
                sender,
                category,
                severity,
                content,
                description,
                status == NotificationStatus.NEW ? NotificationStatus.PROCESSED : status,
                more,
                contentType);
    }

    @JsonIgnore // Not a member of its JSON, though it is named like one.
    public boolean isCritical() {
        return severity == Severity.CRITICAL;
    }

    @JsonIgnore // The same.
    public boolean isEscalated() {
        return status == NotificationStatus.ESCALATED;
    }
}
