package dev.millrace.hub.rules.logic;

import dev.millrace.hub.http.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * What a rule remembers between its runs: since when its conditions hold, what its functions have
 * gathered, when it acted last. Small, and kept beside the rule, so that a restart forgets nothing.
 * Not thread-safe: a rule never runs beside itself.
 */
public final class Memory {
    private static final String SINCE = "since";
    private static final String SEEN = "seen";
    private static final String FUNCTIONS = "fn";
    private static final String ACTED = "acted";
    private static final String HELD = "held";

    private final ObjectNode root;
    private boolean changed;

    private Memory(ObjectNode root) {
        this.root = root;
    }

    public static Memory empty() {
        return new Memory(Json.MAPPER.createObjectNode());
    }

    /** Of what was kept; what is not understood is forgotten. */
    public static Memory of(JsonNode kept) {
        return kept instanceof ObjectNode object ? new Memory(object) : empty();
    }

    /** The same, to be changed without this one. */
    public Memory copy() {
        return new Memory(root.deepCopy());
    }

    public ObjectNode kept() {
        return root;
    }

    /** Whether there is something to be kept since this was asked last. */
    public boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    public boolean hasChanged() {
        return changed;
    }

    private ObjectNode part(String name) {
        return root.path(name) instanceof ObjectNode part ? part : root.putObject(name);
    }

    // ---------------------------------------------------------------- conditions

    /** Since when a condition holds; now, if it did not until now. */
    long holdsSince(String condition, long now) {
        JsonNode since = root.path(SINCE).path(condition);
        if (since.isIntegralNumber()) {
            return Math.min(since.asLong(), now);
        }
        part(SINCE).put(condition, now);
        changed = true;
        return now;
    }

    void doesNotHold(String condition) {
        if (root.path(SINCE).has(condition)) {
            part(SINCE).remove(condition);
            changed = true;
        }
    }

    /** Whether a value is another one than when this was asked last; not the first time. */
    boolean isNew(String condition, String value) {
        JsonNode before = root.path(SEEN).path(condition);
        if (before.isString() && before.asString().equals(value)) {
            return false;
        }
        part(SEEN).put(condition, value);
        changed = true;
        return before.isString();
    }

    // ---------------------------------------------------------------- functions

    /** What a function has gathered, for reading. */
    JsonNode gathered(String function) {
        return root.path(FUNCTIONS).path(function);
    }

    void gather(String function, ObjectNode state) {
        part(FUNCTIONS).set(function, state);
        changed = true;
    }

    // ---------------------------------------------------------------- the rule

    /** When it acted last, in ms since 1970. */
    public Optional<Long> actedAt() {
        JsonNode acted = root.path(ACTED);
        return acted.isIntegralNumber() ? Optional.of(acted.asLong()) : Optional.empty();
    }

    public void acted(long now) {
        root.put(ACTED, now);
        changed = true;
    }

    /** Whether its condition held when it was looked at last. */
    public boolean held() {
        return root.path(HELD).asBoolean(false);
    }

    public void held(boolean holds) {
        if (held() != holds) {
            root.put(HELD, holds);
            changed = true;
        }
    }
}
