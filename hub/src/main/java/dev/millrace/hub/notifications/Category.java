package dev.millrace.hub.notifications;

import tools.jackson.databind.annotation.JsonDeserialize;

/** What a notification is about. */
@JsonDeserialize(using = Category.Reader.class)
enum Category {
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
