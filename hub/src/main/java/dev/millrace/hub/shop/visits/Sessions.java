package dev.millrace.hub.shop.visits;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What may be done with a session, and what of its attributes is kept. */
final class Sessions {
    /** Somebody else changed the same attribute that often in a row: he is asked to come again. */
    private static final int TRIES = 10;

    static final int MOST_ATTRIBUTES = 256;
    static final int LONGEST_NAME = 128;

    private final SessionStore store;
    private final Visits visits;
    private final SessionSettings settings;

    Sessions(SessionStore store, Visits visits, SessionSettings settings) {
        this.store = store;
        this.visits = visits;
        this.settings = settings;
    }

    /** What became of something with attributes. */
    sealed interface Outcome {
        record Done(Session session, boolean made) implements Outcome {}

        record Absent() implements Outcome {}

        record Refused(String why) implements Outcome {}

        /** Others change the same attributes all the time. */
        record Overtaken() implements Outcome {}
    }

    Duration idle() {
        return settings.idle();
    }

    Outcome create(
            Optional<String> user, Optional<Duration> ttl, Map<String, JsonNode> attributes) {
        Map<String, String> kept = new TreeMap<>();
        attributes.forEach(
                (name, value) -> {
                    if (!value.isNull()) {
                        kept.put(name, text(value));
                    }
                });
        long bytes =
                kept.entrySet().stream()
                        .mapToLong(
                                each ->
                                        SessionStore.sizeOf(Session.ATTRIBUTE + each.getKey())
                                                + SessionStore.sizeOf(each.getValue()))
                        .sum();
        Optional<String> wrong = wrongNames(kept.keySet());
        if (wrong.isPresent() || bytes > settings.attributes().count()) {
            return new Outcome.Refused(wrong.orElseGet(this::tooLarge));
        }
        SessionStore.Touch touch = new SessionStore.Touch(true, user, Optional.empty(), ttl, kept);
        return store.touch(Names.newToken(), touch)
                .<Outcome>map(made -> new Outcome.Done(made.session(), true))
                .orElseGet(Outcome.Absent::new);
    }

    Optional<SessionStore.Touched> touch(
            String token, boolean make, Optional<String> user, Optional<String> item) {
        return visits.view(token, SessionStore.Touch.of(make, user, item));
    }

    Optional<Session> get(String token) {
        return store.get(token);
    }

    Optional<Session> rotate(String token, Optional<String> user) {
        // A token of the same shard: views and cart can be renamed in one step.
        return store.rotate(token, SessionStore.newTokenBeside(token), user);
    }

    void finish(String token, boolean keepCart, Duration cartIdle) {
        store.finish(token, keepCart ? Optional.of(cartIdle) : Optional.empty());
    }

    // ---------------------------------------------------------------- attributes

    /**
     * Merges a patch (RFC 7396) into the attributes. Only where an object is merged into another
     * one is the attribute read first, and written only if it is still the same.
     */
    Outcome patch(String token, ObjectNode patch) {
        Optional<String> wrong = wrongNames(patch.propertyNames());
        if (wrong.isPresent()) {
            return new Outcome.Refused(wrong.get());
        }
        for (int tries = 0; tries < TRIES; tries++) {
            Optional<List<SessionStore.Change>> changes = changes(token, patch);
            if (changes.isEmpty()) {
                return new Outcome.Absent();
            }
            switch (store.change(token, changes.get())) {
                case SessionStore.Changed.Done(Session session) -> {
                    return new Outcome.Done(session, false);
                }
                case SessionStore.Changed.Absent() -> {
                    return new Outcome.Absent();
                }
                case SessionStore.Changed.TooLarge() -> {
                    return new Outcome.Refused(tooLarge());
                }
                case SessionStore.Changed.Overtaken() -> {
                    // Once more, with what is there now.
                }
            }
        }
        return new Outcome.Overtaken();
    }

    /** Empty if there is no session. */
    private Optional<List<SessionStore.Change>> changes(String token, ObjectNode patch) {
        boolean merges = patch.valueStream().anyMatch(JsonNode::isObject);
        Map<String, String> present = Map.of();
        if (merges) {
            Optional<Session> session = store.get(token);
            if (session.isEmpty()) {
                return Optional.empty();
            }
            present = session.get().attributes();
        }
        List<SessionStore.Change> changes = new ArrayList<>();
        for (Map.Entry<String, JsonNode> each : patch.properties()) {
            changes.add(change(each.getKey(), each.getValue(), present.get(each.getKey())));
        }
        return Optional.of(changes);
    }

    private static SessionStore.Change change(
            String name, JsonNode patch, @Nullable String before) {
        if (patch.isNull()) {
            return new SessionStore.Change(name, Optional.empty(), null);
        }
        if (!patch.isObject()) {
            return new SessionStore.Change(name, Optional.empty(), text(patch));
        }
        JsonNode old = before == null ? null : Json.MAPPER.readTree(before);
        return new SessionStore.Change(
                name, Optional.of(new SessionStore.Expected(before)), text(merged(old, patch)));
    }

    private static JsonNode merged(@Nullable JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode members)) {
            return patch;
        }
        ObjectNode result =
                target instanceof ObjectNode object
                        ? object
                        : Json.MAPPER.getNodeFactory().objectNode();
        for (Map.Entry<String, JsonNode> each : members.properties()) {
            if (each.getValue().isNull()) {
                result.remove(each.getKey());
            } else {
                result.set(each.getKey(), merged(result.get(each.getKey()), each.getValue()));
            }
        }
        return result;
    }

    private static String text(JsonNode value) {
        return new String(Json.write(value), StandardCharsets.UTF_8);
    }

    private static Optional<String> wrongNames(Iterable<String> names) {
        int count = 0;
        for (String name : names) {
            count++;
            if (!Names.isItem(name) || name.length() > LONGEST_NAME) {
                return Optional.of(
                        "The name of an attribute has 1 to %d characters, none of them a control"
                                        .formatted(LONGEST_NAME)
                                + " character.");
            }
        }
        return count > MOST_ATTRIBUTES
                ? Optional.of("At most %d attributes are taken at once.".formatted(MOST_ATTRIBUTES))
                : Optional.empty();
    }

    private String tooLarge() {
        return "The attributes of a session may have %s together.".formatted(settings.attributes());
    }
}
