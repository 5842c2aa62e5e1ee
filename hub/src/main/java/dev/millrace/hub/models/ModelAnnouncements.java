package dev.millrace.hub.models;

import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.realtime.Announcement;
import dev.millrace.hub.telemetry.realtime.Announcements;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.store.Cells;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What live clients are told of models: first their values, then each that has changed. */
final class ModelAnnouncements implements Announcements {
    /** So many models at most say their values to a client that wants to hear of all. */
    private static final int MOST_AT_FIRST = 500;

    private final Supplier<@Nullable Open> open;

    /** The room once it is started. */
    record Open(Keyspace keyspace, ModelBook book) {}

    /**
     * Of this room.
     *
     * @param open null as long as the room is not started
     */
    ModelAnnouncements(Supplier<@Nullable Open> open) {
        this.open = open;
    }

    @Override
    public String source() {
        return "model";
    }

    @Override
    public Door door() {
        return Door.of(Role.VIEWER, ModelsApi.ROOM);
    }

    @Override
    public String messageType() {
        return "model_update";
    }

    @Override
    public Topic topic() {
        return ModelsLayouts.TOPIC;
    }

    /** Another state of a model is not in the list of values. */
    @Override
    public Optional<String> home(Fact fact) {
        try {
            return Json.MAPPER.readTree(fact.body()).has("values")
                    ? Optional.of(Declaration.SITE)
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> homes() {
        return List.of(Declaration.SITE);
    }

    @Override
    public Map<String, Cell.Key> logs(String home) {
        return Map.of("", ModelsLayouts.MEASUREMENT_LOG.at());
    }

    @Override
    public Optional<Announcement> read(String log, ObjectNode listed) {
        String id = listed.path("model_id").asString("");
        if (id.isEmpty() || !(listed.path("changes") instanceof ObjectNode values)) {
            return Optional.empty();
        }
        ObjectNode data = update(id, values);
        JsonNode second = listed.path("timestamp");
        if (second.asLong(0) > 0) {
            data.put("timestamp", Instant.ofEpochSecond(second.asLong()).toString());
        }
        Set<String> names =
                values.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet());
        return Optional.of(new Announcement(id, Map.of("field", names), data));
    }

    private static ObjectNode update(String id, ObjectNode values) {
        ObjectNode data = Json.MAPPER.createObjectNode();
        data.put("model_id", id);
        data.set("values", values.deepCopy());
        return data;
    }

    @Override
    public List<ObjectNode> present(Collection<String> ids) {
        Open now = open.get();
        if (now == null) {
            return List.of();
        }
        Cells cells = now.keyspace.cells();
        Map<String, Cells.Question<String>> asked = new LinkedHashMap<>();
        now.book.models().stream()
                .map(Model::id)
                .filter(id -> ids.isEmpty() || ids.contains(id))
                .limit(MOST_AT_FIRST)
                .forEach(id -> asked.put(id, cells.string(ModelsLayouts.MEASUREMENT.at(id))));
        List<ObjectNode> present = new ArrayList<>();
        asked.forEach(
                (id, question) ->
                        values(question.answer().or(""))
                                .ifPresent(values -> present.add(update(id, values))));
        return present;
    }

    /** Empty if there are none, or somebody has written something else there. */
    private static Optional<ObjectNode> values(String text) {
        try {
            return !text.isEmpty() && Json.MAPPER.readTree(text) instanceof ObjectNode values
                    ? Optional.of(values)
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean presentByMessages() {
        return true;
    }
}
