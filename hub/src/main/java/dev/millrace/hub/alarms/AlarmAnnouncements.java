package dev.millrace.hub.alarms;

import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.alarms.kept.AlarmReads;
import dev.millrace.hub.alarms.kept.AlarmsKept;
import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Sources;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.realtime.Announcement;
import dev.millrace.hub.telemetry.realtime.Announcements;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Cell;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What live clients are told of alarms: each event with the alarm as it was after it. The event
 * says what changed, the rest is as it is stored now.
 */
final class AlarmAnnouncements implements Announcements {
    /** Members of an event, and the fields of the alarm that say the same. */
    private static final Map<String, String> SAME =
            Map.of(
                    "level",
                    AlarmRule.LEVEL,
                    "title",
                    Alarm.RENDERED,
                    "source_key",
                    AlarmRule.SOURCE_KEY,
                    "field",
                    AlarmRule.FIELD,
                    "operator",
                    AlarmRule.OPERATOR,
                    "threshold",
                    AlarmRule.THRESHOLD,
                    "category",
                    AlarmRule.CATEGORY,
                    "state",
                    Alarm.STATE,
                    "count",
                    Alarm.COUNT);

    private final Supplier<@Nullable AlarmsKept> kept;

    /**
     * Of this room.
     *
     * @param kept null as long as the room is not started
     */
    AlarmAnnouncements(Supplier<@Nullable AlarmsKept> kept) {
        this.kept = kept;
    }

    private Optional<AlarmReads> reads() {
        return Optional.ofNullable(kept.get()).map(AlarmsKept::reads);
    }

    @Override
    public String source() {
        return "alarm";
    }

    @Override
    public Door door() {
        return Door.of(Role.VIEWER, AlarmsApi.ROOM);
    }

    @Override
    public String messageType() {
        return "alarm";
    }

    @Override
    public Topic topic() {
        return AlarmsKept.TOPIC;
    }

    @Override
    public Optional<String> home(Fact fact) {
        try {
            JsonNode source = Json.MAPPER.readTree(fact.body()).path("source_key");
            return Optional.of(Sources.home(source.isString() ? source.asString() : null));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> homes() {
        return reads().map(all -> List.copyOf(all.homes())).orElse(List.of());
    }

    @Override
    public Map<String, Cell.Key> logs(String home) {
        return Map.of("", AlarmReads.log(home));
    }

    @Override
    public Optional<Announcement> read(String log, ObjectNode event) {
        String id = event.path("rule_id").asString("");
        String type = event.path("type").asString("");
        if (id.isEmpty() || type.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode data = Json.MAPPER.createObjectNode();
        data.put("event_type", type);
        data.put("alarm_id", id);
        String home = Sources.home(event.path("source_key").asString(""));
        Map<String, Set<String>> traits = new HashMap<>();
        traits.put("event", Set.of(type));
        traits.put("level", Set.of(event.path("level").asString("").toLowerCase(Locale.ROOT)));
        traits.put("category", Set.of(event.path("category").asString("")));
        if (!home.isEmpty() && Character.isDigit(home.charAt(0))) {
            data.put("channel_id", Integer.parseInt(home));
            traits.put("channel", Set.of(home));
        }
        data.set("point_id", event.path("field").deepCopy());
        data.set("value", event.path("value").deepCopy());
        data.put("timestamp", AlarmView.iso(event.path("timestamp").asDouble(0)));
        data.set("alarm", alarm(id, event));
        return Optional.of(new Announcement(id, traits, data));
    }

    private ObjectNode alarm(String id, ObjectNode event) {
        ObjectNode alarm =
                reads().flatMap(all -> all.alarm(id))
                        .filter(Alarm::exists)
                        .map(AlarmView::of)
                        .orElseGet(
                                () -> {
                                    ObjectNode none = Json.MAPPER.createObjectNode();
                                    none.put("id", id);
                                    none.put(Alarm.RULE_ID, id);
                                    return none;
                                });
        SAME.forEach(
                (member, field) -> {
                    if (event.has(member)) {
                        alarm.set(field, event.path(member).deepCopy());
                    }
                });
        if (event.path("active").isBoolean()) {
            alarm.put(Alarm.STATUS, event.path("active").asBoolean() ? "active" : "cleared");
        }
        return alarm;
    }

    @Override
    public List<ObjectNode> present(Collection<String> ids) {
        return reads().stream()
                .flatMap(all -> all.active().stream())
                .filter(each -> ids.isEmpty() || ids.contains(each.ruleId()))
                .map(AlarmView::of)
                .toList();
    }
}
