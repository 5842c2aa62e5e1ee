package dev.millrace.hub.models;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what a model is, in any of the forms that clients write. */
final class ModelReader {
    static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");

    /** Of a measurement or an action. */
    static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,127}");

    /** They would lead to other keys, or are paths of their own. */
    static final Set<String> RESERVED =
            Set.of("index", "template", "channel", "data", "from-template");

    static final int MOST_MEMBERS = 1000;
    private static final int MOST_SOURCES = 500;
    private static final int LARGEST_CHANNEL = 65_535;
    private static final Pattern POINT = Pattern.compile("[1-9][0-9]{0,9}");
    private static final Pattern SOURCE =
            Pattern.compile("comsrv:([1-9][0-9]{0,4}):([TSCA]):([1-9][0-9]{0,9})");

    private ModelReader() {}

    /** Something that was read, or why it cannot be. */
    sealed interface Read<T> {
        record Good<T>(T value) implements Read<T> {}

        record Bad<T>(Refused why) implements Read<T> {}
    }

    private static final class UnfitException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Refused why;

        UnfitException(Refused why) {
            super(why.message(), null, false, false);
            this.why = why;
        }
    }

    private static UnfitException unfit(String sentence) {
        return new UnfitException(Refused.of(EmsCode.VALIDATION_ERROR, sentence));
    }

    /** Why no model may have this id. */
    static Optional<Refused> mistake(String id) {
        if (RESERVED.contains(id)) {
            return Optional.of(
                    Refused.of(
                            EmsCode.RESERVED_ID,
                            "The id %s is reserved, because of keys or paths of that name."
                                    .formatted(id)));
        }
        return ID.matcher(id).matches()
                ? Optional.empty()
                : Optional.of(
                        Refused.of(
                                EmsCode.VALIDATION_ERROR,
                                "An id has 1 to 128 letters, digits and _ . -, beginning with a"
                                        + " letter or digit."));
    }

    // ---------------------------------------------------------------- forms

    /**
     * The effective configuration that a submitted one stands for: with {@code mappings} as they
     * are meant.
     */
    static Read<ObjectNode> effective(String id, ObjectNode submitted) {
        Optional<Refused> mistake = mistake(id);
        if (mistake.isPresent()) {
            return new Read.Bad<>(mistake.get());
        }
        ObjectNode whole = submitted.deepCopy();
        whole.put("id", id);
        if (!whole.path("mappings").isObject()) {
            if (!expand(whole)) {
                return new Read.Bad<>(
                        Refused.of(
                                EmsCode.MODEL_WITHOUT_MAPPINGS,
                                "mappings is missing: which point feeds which measurement; it may"
                                        + " be empty."));
            }
        }
        for (String text : List.of("name", "type", "template", "description")) {
            JsonNode value = whole.path(text);
            if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
                return new Read.Bad<>(
                        Refused.of(EmsCode.VALIDATION_ERROR, text + " must be a text."));
            }
        }
        String type = whole.path("type").asString("");
        if (type.contains(":") || type.length() > 128) {
            return new Read.Bad<>(
                    Refused.of(
                            EmsCode.VALIDATION_ERROR,
                            "type must have at most 128 characters and no colon."));
        }
        return switch (model(new ModelConfiguration(id, whole))) {
            case Read.Good<Model> good -> new Read.Good<>(whole);
            case Read.Bad<Model>(Refused why) -> new Read.Bad<>(why);
        };
    }

    /** One channel for all, or a list of inputs; false if it is none of these. */
    private static boolean expand(ObjectNode whole) {
        JsonNode short1 = whole.path("mapping");
        if (short1.isObject()) {
            ObjectNode mappings = Json.MAPPER.createObjectNode();
            JsonNode channel = short1.path("channel");
            points(mappings.putObject("measurement"), channel, "T", short1.path("data"));
            points(mappings.putObject("action"), channel, "C", short1.path("action"));
            whole.remove("mapping");
            whole.set("mappings", mappings);
            return true;
        }
        if (whole.path("inputs").isArray()) {
            ObjectNode mappings = Json.MAPPER.createObjectNode();
            ObjectNode measurement = mappings.putObject("measurement");
            mappings.putObject("action");
            for (JsonNode input : whole.path("inputs")) {
                var matcher = SOURCE.matcher(input.path("source").asString(""));
                if (matcher.matches()) {
                    ObjectNode point = measurement.putObject(input.path("name").asString(""));
                    point.put("channel", Integer.parseInt(matcher.group(1)));
                    point.put("type", matcher.group(2));
                    point.put("point_id", Long.parseLong(matcher.group(3)));
                }
            }
            whole.set("mappings", mappings);
            return measurement.size() == whole.path("inputs").size();
        }
        return false;
    }

    private static void points(ObjectNode into, JsonNode channel, String type, JsonNode points) {
        points.properties()
                .forEach(
                        each -> {
                            ObjectNode point = into.putObject(each.getKey());
                            point.set("channel", channel);
                            point.set("point_id", each.getValue());
                            point.put("type", type);
                        });
    }

    // ---------------------------------------------------------------- the model

    /** The model that an effective configuration is. */
    static Read<Model> model(ModelConfiguration configuration) {
        try {
            JsonNode mappings = configuration.document().path("mappings");
            Map<String, Member> members = new LinkedHashMap<>();
            JsonNode measurements = object(mappings, "measurement");
            for (Map.Entry<String, JsonNode> each : measurements.properties()) {
                members.put(name(each.getKey()), member(each.getKey(), each.getValue()));
            }
            Map<String, Model.ActionPoint> actions = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> each : object(mappings, "action").properties()) {
                actions.put(name(each.getKey()), action(each.getKey(), each.getValue()));
            }
            if (members.size() + actions.size() > MOST_MEMBERS) {
                throw unfit("A model has at most 1,000 measurements and actions.");
            }
            String type = configuration.typeOrTemplate();
            String template = configuration.template();
            return new Read.Good<>(
                    new Model(
                            configuration.id(),
                            configuration.name(),
                            type == null ? "" : type,
                            template == null ? "" : template,
                            ordered(members),
                            actions));
        } catch (UnfitException e) {
            return new Read.Bad<>(e.why);
        }
    }

    private static JsonNode object(JsonNode parent, String name) {
        JsonNode node = parent.path(name);
        if (!node.isMissingNode() && !node.isNull() && !node.isObject()) {
            throw unfit("mappings.%s must be an object, name to point.".formatted(name));
        }
        return node;
    }

    private static String name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw unfit(
                    "A name has 1 to 128 letters, digits and _ . -, beginning with a letter: \"%s\" does not."
                            .formatted(name.substring(0, Math.min(name.length(), 40))));
        }
        return name;
    }

    private static Member member(String name, JsonNode entry) {
        if (entry.has("expression")) {
            if (entry.has("channel") || entry.has("aggregate")) {
                throw unfit(name + " has an expression, and so neither point nor aggregate.");
            }
            try {
                return new Member.Computed(Formula.of(entry.path("expression").asString("")));
            } catch (IllegalArgumentException e) {
                throw unfit(
                        "The expression of %s cannot be read: %s.".formatted(name, e.getMessage()));
            }
        }
        if (entry.has("aggregate")) {
            return aggregate(name, entry);
        }
        Member.Point point = point(name, entry, "T");
        if (!point.type().equals("T") && !point.type().equals("S")) {
            throw unfit("The measurement %s must be of type T or S.".formatted(name));
        }
        return new Member.Mapped(
                point, number(name, entry, "scale", 1), number(name, entry, "offset", 0));
    }

    private static Member aggregate(String name, JsonNode entry) {
        String word = entry.path("aggregate").asString("").toUpperCase(Locale.ROOT);
        Member.Function function = null;
        for (Member.Function each : Member.Function.values()) {
            function = each.name().equals(word) ? each : function;
        }
        JsonNode sources = entry.path("sources");
        if (function == null) {
            throw unfit("aggregate of %s must be avg, sum, min or max.".formatted(name));
        }
        if (!sources.isArray() || sources.isEmpty() || sources.size() > MOST_SOURCES) {
            throw unfit("sources of %s must be a list of 1 to 500 points.".formatted(name));
        }
        List<Member.Point> points = new ArrayList<>();
        sources.forEach(each -> points.add(point(name, each, "T")));
        return new Member.Aggregate(function, points);
    }

    private static double number(String name, JsonNode entry, String member, double standard) {
        JsonNode value = entry.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return standard;
        }
        if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
            throw unfit("%s of %s must be a number.".formatted(member, name));
        }
        return value.doubleValue();
    }

    private static Member.Point point(String name, JsonNode entry, String standard) {
        JsonNode channel = entry.path("channel");
        if (channel.isMissingNode()) {
            channel = entry.path("channel_id");
        }
        String point = entry.path("point_id").asString(entry.path("point").asString(""));
        String type = entry.path("type").asString(standard);
        boolean good =
                channel.asString("").matches("[1-9][0-9]{0,4}")
                        && Integer.parseInt(channel.asString("")) <= LARGEST_CHANNEL
                        && POINT.matcher(point).matches()
                        && Long.parseLong(point) <= 4_294_967_295L
                        && Set.of("T", "S", "C", "A").contains(type);
        if (!good) {
            throw unfit(
                    "%s must name a channel from 1 to 65535, a point_id from 1 and a type, T, S, C or A."
                            .formatted(name));
        }
        return new Member.Point(Integer.parseInt(channel.asString()), type, point);
    }

    private static Model.ActionPoint action(String name, JsonNode entry) {
        Member.Point point = point(name, entry, "C");
        if (!point.type().equals("C") && !point.type().equals("A")) {
            throw unfit("The action %s must be of type C or A.".formatted(name));
        }
        return new Model.ActionPoint(point, bound(name, entry, "min"), bound(name, entry, "max"));
    }

    private static OptionalDouble bound(String name, JsonNode entry, String member) {
        JsonNode value = entry.path(member);
        return value.isMissingNode() || value.isNull()
                ? OptionalDouble.empty()
                : OptionalDouble.of(number(name, entry, member, 0));
    }

    /** What is computed comes behind what it is computed from. */
    private static Map<String, Member> ordered(Map<String, Member> members) {
        Map<String, Member> ordered = new LinkedHashMap<>();
        members.forEach(
                (name, member) -> {
                    if (!(member instanceof Member.Computed)) {
                        ordered.put(name, member);
                    }
                });
        Set<String> unknown = new LinkedHashSet<>();
        members.forEach(
                (name, member) -> {
                    if (member instanceof Member.Computed(Formula formula)) {
                        formula.names().stream()
                                .filter(each -> !members.containsKey(each))
                                .forEach(unknown::add);
                    }
                });
        if (!unknown.isEmpty()) {
            throw new UnfitException(
                    Refused.of(
                                    EmsCode.UNKNOWN_NAME,
                                    "The model has no measurement %s."
                                            .formatted(String.join(", ", unknown)))
                            .with("names", List.copyOf(unknown)));
        }
        boolean more = true;
        while (more) {
            more = false;
            for (Map.Entry<String, Member> each : members.entrySet()) {
                if (!ordered.containsKey(each.getKey())
                        && each.getValue() instanceof Member.Computed(Formula formula)
                        && ordered.keySet().containsAll(formula.names())) {
                    ordered.put(each.getKey(), each.getValue());
                    more = true;
                }
            }
        }
        if (ordered.size() < members.size()) {
            List<String> circle =
                    members.keySet().stream().filter(each -> !ordered.containsKey(each)).toList();
            throw new UnfitException(
                    Refused.of(
                                    EmsCode.VALIDATION_ERROR,
                                    "%s are computed from each other, in a circle."
                                            .formatted(String.join(", ", circle)))
                            .with("names", circle));
        }
        return ordered;
    }
}
