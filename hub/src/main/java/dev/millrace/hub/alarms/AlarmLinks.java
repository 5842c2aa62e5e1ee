package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.kept.AlarmReads;
import dev.millrace.hub.alarms.kept.AlarmsKept;
import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Sources;
import dev.millrace.hub.why.Episode;
import dev.millrace.hub.why.Kind;
import dev.millrace.hub.why.Links;
import dev.millrace.hub.why.Origin;
import dev.millrace.hub.why.Part;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Alarms as parts of chains: each time that one was raised is a part, told by the alarm itself if
 * it was the last time, and by the list of events. Thread-safe.
 */
final class AlarmLinks implements Links {
    /** The value that an alarm goes off with is that of its cause, unless a delay lies between. */
    private static final Duration AT_ONCE = Duration.ofMillis(1500);

    private final Supplier<@Nullable AlarmsKept> kept;

    /**
     * Of this room.
     *
     * @param kept null as long as the room is not started
     */
    AlarmLinks(Supplier<@Nullable AlarmsKept> kept) {
        this.kept = kept;
    }

    private Optional<AlarmReads> reads() {
        return Optional.ofNullable(kept.get()).map(AlarmsKept::reads);
    }

    @Override
    public Optional<Part> find(Kind kind, String id) {
        if (kind != Kind.ALARM) {
            return Optional.empty();
        }
        return reads().flatMap(
                        all ->
                                Episode.of(id)
                                        .flatMap(each -> part(all, each))
                                        .or(() -> latest(all, id)));
    }

    private static Optional<Part> latest(AlarmReads all, String id) {
        return all.alarm(id)
                .filter(AlarmLinks::wasRaised)
                .flatMap(each -> part(all, new Episode(id, each.number(Alarm.COUNT))));
    }

    private static boolean wasRaised(Alarm alarm) {
        return alarm.isActive() || alarm.has(Alarm.TRIGGERED_AT) || alarm.has(Alarm.CLEARED_AT);
    }

    @Override
    public Some startedBy(Part cause) {
        return reads().map(
                        all -> {
                            String source = cause.detail("source");
                            return source.isEmpty()
                                    ? among(all, all.homes(), List.of(), startedBy(cause.id()))
                                    : among(
                                            all,
                                            List.of(Sources.home(source)),
                                            all.ofSource(source),
                                            startedBy(cause.id()));
                        })
                .orElse(Some.NONE);
    }

    private static Predicate<Origin> startedBy(String cause) {
        return origin -> origin.cause().equals(cause) && origin.from().isEmpty();
    }

    @Override
    public Some after(Part part) {
        Optional<AlarmReads> all = reads();
        if (part.kind() != Kind.EXECUTION || all.isEmpty()) {
            return Some.NONE;
        }
        Set<String> homes = new LinkedHashSet<>();
        List<Alarm> alarms = new ArrayList<>();
        for (String id : part.leads(Kind.ALARM)) {
            all.get().alarm(id).ifPresent(alarms::add);
            homes.add(Sources.home(null));
        }
        for (String source : part.leads(Kind.VALUE)) {
            alarms.addAll(all.get().ofSource(source));
            homes.add(Sources.home(source));
        }
        return among(all.get(), homes, alarms, origin -> origin.from().equals(part.id()));
    }

    /** What fits among what these alarms are now, and what the events of these homes tell. */
    private static Some among(
            AlarmReads all,
            Collection<String> homes,
            Collection<Alarm> alarms,
            Predicate<Origin> wanted) {
        Set<Episode> found = new LinkedHashSet<>();
        for (Alarm each : alarms) {
            if (wasRaised(each) && wanted.test(origin(each))) {
                found.add(new Episode(each.ruleId(), each.number(Alarm.COUNT)));
            }
        }
        for (ObjectNode each : homes.isEmpty() ? List.<ObjectNode>of() : all.events(homes)) {
            if (isTrigger(each) && wanted.test(origin(each))) {
                found.add(new Episode(text(each, "rule_id"), each.path("count").asLong(0)));
            }
        }
        return Some.of(found.stream().flatMap(each -> part(all, each).stream()).toList());
    }

    private static Origin origin(Alarm alarm) {
        return new Origin(alarm.text(Alarm.CAUSE, ""), alarm.text(Alarm.CAUSED_BY, ""));
    }

    private static Origin origin(ObjectNode event) {
        return new Origin(text(event, "cause"), text(event, "from"));
    }

    private static boolean isTrigger(JsonNode event) {
        return event.path("type").asString("").equals("triggered");
    }

    private static String text(JsonNode json, String member) {
        return json.path(member).asString("");
    }

    // ---------------------------------------------------------------- a part

    private static Optional<Part> part(AlarmReads all, Episode episode) {
        Optional<Alarm> alarm = all.alarm(episode.alarm());
        Optional<Alarm> latest =
                alarm.filter(AlarmLinks::wasRaised)
                        .filter(each -> each.number(Alarm.COUNT) == episode.number());
        Collection<String> homes = alarm.map(each -> List.of(each.home())).orElse(List.of());
        List<ObjectNode> events =
                events(all.events(homes.isEmpty() ? all.homes() : homes), episode, alarm);
        Optional<ObjectNode> trigger =
                events.stream()
                        .filter(AlarmLinks::isTrigger)
                        .findFirst()
                        .or(() -> events.stream().findFirst());
        if (latest.isEmpty() && trigger.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("rule_id", episode.alarm());
        latest.ifPresent(each -> AlarmView.of(each).forEachEntry(details::put));
        trigger.ifPresent(each -> told(each, details));
        Instant at = latest.map(AlarmLinks::at).or(() -> trigger.map(AlarmLinks::at)).orElseThrow();
        Origin origin =
                latest.map(AlarmLinks::origin)
                        .filter(Origin::isKnown)
                        .or(() -> trigger.map(AlarmLinks::origin))
                        .orElse(Origin.UNKNOWN);
        String user = trigger.map(each -> text(each, "user")).orElse("");
        details.put("events", events.stream().map(AlarmLinks::line).toList());
        return Optional.of(
                Part.of(
                                Kind.ALARM,
                                episode.id(),
                                at,
                                user.isEmpty() ? "alarm-rule:" + episode.alarm() : user,
                                plain(details.getOrDefault("title", episode.alarm())))
                        .with(details)
                        .from(
                                origin.from().isEmpty()
                                        ? Optional.empty()
                                        : Optional.of(new Part.Ref(Kind.EXECUTION, origin.from())))
                        .causedBy(cause(origin, at, user, details)));
    }

    /** Oldest first; those of an earlier rule with the same id are not its own. */
    private static List<ObjectNode> events(
            List<ObjectNode> newestFirst, Episode episode, Optional<Alarm> alarm) {
        List<ObjectNode> found = new ArrayList<>();
        for (ObjectNode each : newestFirst) {
            if (!text(each, "rule_id").equals(episode.alarm())) {
                continue;
            }
            String type = text(each, "type");
            if (type.equals("rule_created") || type.equals("rule_deleted")) {
                if (alarm.isPresent() || !found.isEmpty()) {
                    break;
                }
            } else if (!type.equals("rule_updated")
                    && each.path("count").asLong(0) == episode.number()) {
                found.add(each);
            }
        }
        return found.reversed();
    }

    private static Instant at(Alarm alarm) {
        return Instant.ofEpochSecond(
                alarm.number(
                        alarm.has(Alarm.TRIGGERED_AT) ? Alarm.TRIGGERED_AT : Alarm.UPDATED_AT));
    }

    private static Instant at(ObjectNode event) {
        return Instant.ofEpochSecond(event.path("timestamp").asLong(0));
    }

    /** What the event says that the alarm, if it has been raised again, does not say any more. */
    private static void told(ObjectNode trigger, Map<String, Object> details) {
        for (String each :
                List.of("title", "level", "source_key", "field", "operator", "threshold")) {
            if (trigger.has(each)) {
                details.putIfAbsent(each, trigger.path(each));
            }
        }
        if (trigger.has("value")) {
            details.putIfAbsent(Alarm.TRIGGER_VALUE, trigger.path("value"));
        }
    }

    private static Map<String, Object> line(ObjectNode event) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("type", text(event, "type"));
        line.put("at", AlarmView.iso(event.path("timestamp").asDouble(0)));
        for (String each : List.of("seq", "user", "note", "reason", "value", "cause")) {
            if (event.has(each)) {
                line.put(each, event.path(each));
            }
        }
        return line;
    }

    private static Optional<Part> cause(
            Origin origin, Instant at, String user, Map<String, Object> details) {
        Map<String, Object> more = new LinkedHashMap<>();
        String source = plain(details.get(AlarmRule.SOURCE_KEY));
        String field = plain(details.get(AlarmRule.FIELD));
        if (!source.isEmpty()) {
            more.put("source", source);
            more.put("field", field);
        }
        String title = (source + " " + field).strip();
        return Part.cause(origin.cause(), at, user, title, more)
                .map(
                        cause ->
                                switch (cause.kind()) {
                                    case VALUE -> valued(cause, at, more, details);
                                    case CALL ->
                                            titled(
                                                    cause,
                                                    user.isEmpty()
                                                            ? "Its alarm rule was stored"
                                                            : "It was raised by hand");
                                    case MOMENT -> titled(cause, "It was time to look");
                                    case ALARM,
                                            NOTIFICATION,
                                            TRANSMISSION,
                                            EXECUTION,
                                            COMMAND,
                                            READ_BACK ->
                                            cause;
                                });
    }

    private static Part valued(
            Part cause, Instant at, Map<String, Object> more, Map<String, Object> details) {
        if (cause.at().plus(AT_ONCE).isBefore(at)) {
            return cause;
        }
        String value = plain(details.get(Alarm.TRIGGER_VALUE));
        more.put("value", value);
        return titled(cause.with(more), cause.title() + " = " + value);
    }

    private static Part titled(Part part, String title) {
        return Part.of(part.kind(), part.id(), part.at(), part.who(), title).with(part.details());
    }

    private static String plain(@Nullable Object value) {
        return value instanceof JsonNode node
                ? node.asString("")
                : value == null ? "" : value.toString();
    }
}
