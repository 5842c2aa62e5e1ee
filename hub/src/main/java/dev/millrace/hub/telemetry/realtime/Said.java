package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One message of a client, read. */
sealed interface Said {
    /** So many things in one message; more is a mistake. */
    int MOST_NAMED = 1000;

    Duration STANDARD_INTERVAL = Duration.ofSeconds(1);
    Duration LEAST_INTERVAL = Duration.ofMillis(50);
    Duration LONGEST_INTERVAL = Duration.ofHours(1);

    /** Under which the client knows the answer; null if it does not care. */
    @Nullable String id();

    record Auth(@Nullable String id, String token) implements Said {}

    /** The values of channels. */
    record SubscribePoints(@Nullable String id, List<Wanted> channels, boolean batch)
            implements Said {}

    /**
     * What is announced by a source.
     *
     * @param ids of what it is about, as they were said; none for everything
     * @param since the numbers that were seen last, by list; the one without a name if there is one
     *     list
     */
    record SubscribeLog(
            @Nullable String id,
            String source,
            List<JsonNode> ids,
            Map<String, Set<String>> filters,
            Map<String, Long> since,
            Optional<String> type)
            implements Said {}

    /** Channels by device or area, whatever those are now. */
    record SubscribeGroup(
            @Nullable String id, List<String> devices, List<String> areas, Options options)
            implements Said {}

    record Unsubscribe(@Nullable String id, String source, Optional<List<JsonNode>> names)
            implements Said {}

    /** An order to a device. */
    record Control(@Nullable String id, ObjectNode order) implements Said {}

    record GetData(@Nullable String id, List<JsonNode> channels, Set<PointType> types)
            implements Said {}

    /** A question about the past. */
    record GetHistory(@Nullable String id, ObjectNode question) implements Said {}

    /** Whether it is there; perhaps with the client's time, in ms since 1970. */
    record Ping(@Nullable String id, Optional<Long> sentAt) implements Said {}

    /** It means nothing. */
    record Mistake(@Nullable String id, String code, String sentence) implements Said {}

    /**
     * A channel and how it is wanted.
     *
     * @param name as the client said it
     * @param channel 0 if that is not one
     */
    record Wanted(JsonNode name, int channel, PointSubscription.Wish wish) {}

    /** How channels are wanted unless one says something else. */
    record Options(Set<PointType> types, Duration interval, PointSubscription.Mode mode) {
        private static final Options STANDARD =
                new Options(
                        EnumSet.of(PointType.T, PointType.S),
                        STANDARD_INTERVAL,
                        PointSubscription.Mode.VALUE);

        PointSubscription.Wish wish(boolean batch) {
            return new PointSubscription.Wish(types, interval, mode, batch);
        }
    }

    String POINTS = "comsrv";
    String ALARMS = "alarm";
    String MODELS = "model";
    String EVENTS = "event";

    static Said read(String text) {
        JsonNode node;
        try {
            node = Json.MAPPER.readTree(text);
        } catch (JacksonException e) {
            return new Mistake(null, "INVALID_JSON", Json.sentence(e));
        }
        if (!(node instanceof ObjectNode message)) {
            return new Mistake(null, "INVALID_JSON", "A message is one JSON object.");
        }
        JsonNode named = message.path("id");
        String id = named.isValueNode() && !named.isNull() ? named.asString("") : null;
        ObjectNode data =
                message.path("data") instanceof ObjectNode given
                        ? given
                        : Json.MAPPER.createObjectNode();
        try {
            return read(message, id, data);
        } catch (Unreadable e) {
            return new Mistake(id, e.code, e.sentence);
        }
    }

    private static Said read(ObjectNode message, @Nullable String id, ObjectNode data)
            throws Unreadable {
        String type = message.path("type").asString("");
        return switch (type) {
            case "auth" -> new Auth(id, data.path("token").asString(""));
            case "subscribe" -> subscribe(id, data);
            case "subscribe_batch" -> batch(id, data);
            case "subscribe_alarms" -> log(id, ALARMS, List.of(), data, Optional.of("alarm_event"));
            case "subscribe_models" ->
                    log(id, MODELS, names(data, "models"), data, Optional.empty());
            case "subscribe_events" -> log(id, EVENTS, List.of(), data, Optional.empty());
            case "unsubscribe" ->
                    new Unsubscribe(
                            id,
                            source(data),
                            data.has("channels")
                                    ? Optional.of(names(data, "channels"))
                                    : Optional.empty());
            case "control" -> new Control(id, data);
            case "get_data" ->
                    new GetData(
                            id,
                            data.has("channels")
                                    ? names(data, "channels")
                                    : List.of(data.path("channel_id")),
                            options(data, Options.STANDARD).types);
            case "get_history" -> new GetHistory(id, data);
            case "ping" -> new Ping(id, sentAt(message, data));
            case "" -> throw new Unreadable("UNKNOWN_TYPE", "A message says its type.");
            default ->
                    throw new Unreadable(
                            "UNKNOWN_TYPE",
                            "'%s' is not a type of message.".formatted(shortened(type)));
        };
    }

    private static Said subscribe(@Nullable String id, ObjectNode data) throws Unreadable {
        String source = source(data);
        if (!source.equals(POINTS)) {
            return log(id, source, names(data, "channels"), data, Optional.empty());
        }
        return new SubscribePoints(id, wanted(data, false), false);
    }

    private static Said batch(@Nullable String id, ObjectNode data) throws Unreadable {
        String mode = data.path("mode").asString("channel");
        // The word means two things here; how values are told is not said in a batch.
        ObjectNode rest = data.deepCopy();
        rest.remove("mode");
        return switch (mode) {
            case "channel" -> new SubscribePoints(id, wanted(rest, true), true);
            case "device" ->
                    new SubscribeGroup(
                            id,
                            texts(data, "devices", "device_ids"),
                            List.of(),
                            options(rest, Options.STANDARD));
            case "area" ->
                    new SubscribeGroup(
                            id,
                            List.of(),
                            texts(data, "areas", "area_ids"),
                            options(rest, Options.STANDARD));
            case "alarm" -> log(id, ALARMS, List.of(), data, Optional.empty());
            default -> throw bad("mode must be channel, device, area or alarm.");
        };
    }

    private static List<Wanted> wanted(ObjectNode data, boolean batch) throws Unreadable {
        Options all = options(data, Options.STANDARD);
        List<JsonNode> names = names(data, "channels");
        if (names.isEmpty()) {
            throw bad("channels must be a list of channels.");
        }
        List<Wanted> wanted = new ArrayList<>();
        for (JsonNode each : names) {
            if (each instanceof ObjectNode own) {
                JsonNode name = own.path("channel_id");
                wanted.add(new Wanted(name, channel(name), options(own, all).wish(batch)));
            } else {
                wanted.add(new Wanted(each, channel(each), all.wish(batch)));
            }
        }
        return wanted;
    }

    static int channel(JsonNode name) {
        return name.isString() || name.isIntegralNumber() ? PointIds.channel(name.asString("")) : 0;
    }

    private static Options options(ObjectNode data, Options standard) throws Unreadable {
        Set<PointType> types = standard.types;
        if (data.has("data_types")) {
            types = EnumSet.noneOf(PointType.class);
            for (String each : texts(data, "data_types", "data_types")) {
                PointType type =
                        PointType.of(each)
                                .filter(PointType::isRead)
                                .orElseThrow(() -> bad("data_types may be T and S."));
                types.add(type);
            }
            if (types.isEmpty()) {
                throw bad("data_types names at least one of T and S.");
            }
        }
        Duration interval = standard.interval;
        if (data.has("interval")) {
            JsonNode millis = data.path("interval");
            if (!millis.isIntegralNumber()
                    || !millis.canConvertToLong()
                    || millis.asLong() < 0
                    || millis.asLong() > LONGEST_INTERVAL.toMillis()) {
                throw bad(
                        "interval is a number of milliseconds up to an hour, 0 for every change.");
            }
            interval = Duration.ofMillis(millis.asLong());
            if (!interval.isZero() && interval.compareTo(LEAST_INTERVAL) < 0) {
                interval = LEAST_INTERVAL;
            }
        }
        PointSubscription.Mode mode = standard.mode;
        if (data.has("mode")) {
            mode =
                    switch (data.path("mode").asString("")) {
                        case "value" -> PointSubscription.Mode.VALUE;
                        case "delta" -> PointSubscription.Mode.DELTA;
                        case "change" -> PointSubscription.Mode.CHANGE;
                        default -> throw bad("mode must be value, delta or change.");
                    };
        }
        return new Options(types, interval, mode);
    }

    private static SubscribeLog log(
            @Nullable String id,
            String source,
            List<JsonNode> ids,
            ObjectNode data,
            Optional<String> type)
            throws Unreadable {
        Map<String, Set<String>> filters = new LinkedHashMap<>();
        filter(filters, data, "levels", "level");
        filter(filters, data, "categories", "category");
        filter(filters, data, "events", "event");
        filter(filters, data, "fields", "field");
        if (source.equals(ALARMS) && ids.isEmpty()) {
            filter(filters, data, "channels", "channel");
        }
        List<JsonNode> named = ids.stream().anyMatch(Said::isAll) ? List.of() : ids;
        for (JsonNode each : named) {
            if (!each.isString() && !each.isIntegralNumber()) {
                throw bad("Ids are texts.");
            }
        }
        return new SubscribeLog(id, source, named, filters, since(data), type);
    }

    private static boolean isAll(JsonNode name) {
        return name.asString("").equals("*");
    }

    private static void filter(
            Map<String, Set<String>> filters, ObjectNode data, String member, String trait)
            throws Unreadable {
        if (data.has(member)) {
            Set<String> values = new LinkedHashSet<>();
            for (String each : texts(data, member, member)) {
                values.add(trait.equals("level") ? each.toLowerCase(Locale.ROOT) : each);
            }
            if (!values.isEmpty()) {
                filters.put(trait, values);
            }
        }
    }

    private static Map<String, Long> since(ObjectNode data) throws Unreadable {
        JsonNode since = data.path("since_seq");
        Map<String, Long> numbers = new HashMap<>();
        if (since.isMissingNode() || since.isNull()) {
            return numbers;
        }
        if (since.isIntegralNumber() && since.canConvertToLong() && since.asLong() >= 0) {
            numbers.put("", since.asLong());
            return numbers;
        }
        if (since instanceof ObjectNode each && each.size() <= MOST_NAMED) {
            for (Map.Entry<String, JsonNode> one : each.properties()) {
                JsonNode number = one.getValue();
                if (!number.isIntegralNumber()
                        || !number.canConvertToLong()
                        || number.asLong() < 0) {
                    throw bad("since_seq has the number that was seen last of each list.");
                }
                numbers.put(one.getKey(), number.asLong());
            }
            return numbers;
        }
        throw bad(
                "since_seq is the number that was seen last, or an object with one for each list.");
    }

    private static String source(ObjectNode data) throws Unreadable {
        JsonNode source = data.path("source");
        if (source.isMissingNode() || source.isNull()) {
            return POINTS;
        }
        if (!source.isString()) {
            throw bad("source must be comsrv, model, rule, alarm or event.");
        }
        return source.asString().toLowerCase(Locale.ROOT);
    }

    private static List<JsonNode> names(ObjectNode data, String member) throws Unreadable {
        JsonNode list = data.path(member);
        if (list.isMissingNode() || list.isNull()) {
            return List.of();
        }
        if (!list.isArray()) {
            throw bad(member + " must be a list.");
        }
        if (list.size() > MOST_NAMED) {
            throw bad("%s has more than %d elements.".formatted(member, MOST_NAMED));
        }
        List<JsonNode> names = new ArrayList<>();
        list.forEach(names::add);
        return names;
    }

    private static List<String> texts(ObjectNode data, String member, String other)
            throws Unreadable {
        List<String> texts = new ArrayList<>();
        for (JsonNode each : names(data, data.has(member) ? member : other)) {
            if (!each.isString() && !each.isNumber()) {
                throw bad(member + " must be a list of texts.");
            }
            texts.add(each.asString());
        }
        return texts;
    }

    /** When the client sent it: in ms, or as ISO 8601. */
    private static Optional<Long> sentAt(ObjectNode message, ObjectNode data) {
        JsonNode time = data.has("timestamp") ? data.path("timestamp") : message.path("timestamp");
        if (time.isIntegralNumber() && time.canConvertToLong()) {
            return Optional.of(time.asLong());
        }
        try {
            return time.isString()
                    ? Optional.of(Instant.parse(time.asString()).toEpochMilli())
                    : Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static String shortened(String text) {
        return text.length() > 32 ? text.substring(0, 32) + "…" : text;
    }

    private static Unreadable bad(String sentence) {
        return new Unreadable("INVALID_PARAMETER", sentence);
    }

    /** Why a message means nothing. */
    final class Unreadable extends Exception {
        private final String code;
        private final String sentence;

        Unreadable(String code, String sentence) {
            super(sentence, null, false, false);
            this.code = code;
            this.sentence = sentence;
        }
    }
}
