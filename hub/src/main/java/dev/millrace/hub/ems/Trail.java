package dev.millrace.hub.ems;

import org.jspecify.annotations.Nullable;

/** Where it is written down who changed what. Thread-safe. */
@FunctionalInterface
public interface Trail {
    /** Writes nothing down. */
    Trail NONE = change -> {};

    /** Does not fail: what was changed is changed. */
    void tell(Change change);

    /**
     * Something that a request has changed.
     *
     * @param user who asked for it
     * @param path of the request, which says what was done
     * @param object what kind of thing: {@code alarm_rule}
     * @param id of the thing
     * @param before as it was, JSON or anything that becomes JSON; null if there was none
     * @param after as it is; null if there is none any more
     */
    record Change(
            String user,
            String path,
            String object,
            String id,
            @Nullable Object before,
            @Nullable Object after,
            String requestId) {}
}
