package dev.millrace.hub.notifications.kept;

import tools.jackson.databind.annotation.JsonDeserialize;

/** What a notification is about. */
@JsonDeserialize(using = Category.Reader.class)
public enum Category {
    SECURITY,
    HW_HEALTH,
    SW_HEALTH;

    /** From JSON. */
    static final class Reader extends WordReader<Category> {
        Reader() {
            super(Category.class, "category");
        }
    }
}
