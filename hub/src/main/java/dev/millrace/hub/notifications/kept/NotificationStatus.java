package dev.millrace.hub.notifications.kept;

import tools.jackson.databind.annotation.JsonDeserialize;

/** How far a notification is. */
@JsonDeserialize(using = NotificationStatus.Reader.class)
public enum NotificationStatus {
    /** Waits for the next batch. */
    NEW,
    /** Is on its way; its transmissions say how far. */
    PROCESSED,
    /** Made because another one could not be delivered. */
    ESCALATED;

    /** From JSON. */
    static final class Reader extends WordReader<NotificationStatus> {
        Reader() {
            super(NotificationStatus.class, "status");
        }
    }
}
