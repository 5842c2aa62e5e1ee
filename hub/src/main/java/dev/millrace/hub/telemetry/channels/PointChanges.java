package dev.millrace.hub.telemetry.channels;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** Definitions of points that come, change and go together, or not at all. */
final class PointChanges {
    private static final String ID = "point_id";
    private static final String TYPE = "type";

    private PointChanges() {}

    /**
     * What becomes of a configuration.
     *
     * @param wishes lists {@code create}, {@code update} and {@code delete}, each of definitions
     *     with a {@code type}
     */
    static Channels.Change of(ObjectNode document, ObjectNode wishes) {
        for (String verb : wishes.propertyNames()) {
            JsonNode list = wishes.path(verb);
            Optional<Verb> known = Verb.of(verb);
            if (known.isEmpty()) {
                continue;
            }
            if (!list.isArray()) {
                return refuse(EmsCode.VALIDATION_ERROR, verb + " must be a list.");
            }
            for (JsonNode wish : list) {
                Optional<Refused> why = apply(known.get(), document, wish);
                if (why.isPresent()) {
                    return new Channels.Change.Refuse(why.get());
                }
            }
        }
        return new Channels.Change.To(document);
    }

    private enum Verb {
        CREATE,
        UPDATE,
        DELETE;

        static Optional<Verb> of(String word) {
            return switch (word) {
                case "create" -> Optional.of(CREATE);
                case "update" -> Optional.of(UPDATE);
                case "delete" -> Optional.of(DELETE);
                default -> Optional.empty();
            };
        }
    }

    private static Optional<Refused> apply(Verb verb, ObjectNode document, JsonNode wish) {
        Optional<PointType> type = PointType.of(wish.path(TYPE).asString(""));
        String id = wish.path(ID).asString("");
        if (type.isEmpty() || !(wish instanceof ObjectNode given)) {
            return Optional.of(
                    Refused.of(
                            EmsCode.VALIDATION_ERROR,
                            "A point is an object with a type, T, S, C or A."));
        }
        ArrayNode list = list(document, type.get());
        int at = find(list, id);
        if (verb == Verb.CREATE && at >= 0) {
            return Optional.of(
                    Refused.of(
                            EmsCode.ALREADY_EXISTS,
                            "Point %s of type %s is defined already.".formatted(id, type.get())));
        }
        if (verb != Verb.CREATE && at < 0) {
            return Optional.of(
                    Refused.of(
                            EmsCode.POINT_NOT_FOUND,
                            "Point %s of type %s is not defined.".formatted(id, type.get())));
        }
        ObjectNode definition = given.deepCopy();
        definition.remove(TYPE);
        switch (verb) {
            case CREATE -> list.add(definition);
            case UPDATE -> ((ObjectNode) list.get(at)).setAll(definition);
            case DELETE -> list.remove(at);
        }
        return Optional.empty();
    }

    private static ArrayNode list(ObjectNode document, PointType type) {
        ObjectNode points =
                document.path("points") instanceof ObjectNode known
                        ? known
                        : document.putObject("points");
        return points.path(type.name()) instanceof ArrayNode known
                ? known
                : points.putArray(type.name());
    }

    private static int find(ArrayNode list, String id) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).isObject() && list.get(i).path(ID).asString("").equals(id)) {
                return i;
            }
        }
        return -1;
    }

    private static Channels.Change refuse(EmsCode code, String why) {
        return new Channels.Change.Refuse(Refused.of(code, why));
    }
}
