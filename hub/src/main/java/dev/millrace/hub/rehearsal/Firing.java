package dev.millrace.hub.rehearsal;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/**
 * One time at which a rule would have acted.
 *
 * @param at in ms
 * @param trigger what made it look, in a word
 * @param view what is told of it
 */
public record Firing(long at, String trigger, ObjectNode view) {

    /** Until when its condition held, as far as it was looked at; null while it does. */
    public void until(@Nullable Long end) {
        if (end == null) {
            view.putNull("held_until").putNull("duration_ms");
        } else {
            view.put("held_until", Span.iso(end)).put("duration_ms", end - at);
        }
    }
}
