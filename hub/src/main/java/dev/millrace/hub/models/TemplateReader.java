package dev.millrace.hub.models;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads templates, and makes models of them. */
final class TemplateReader {
    private static final Set<String> RESERVED =
            Set.of("measurement", "action", "status", "config", "index", "create-model");

    private TemplateReader() {}

    /** A template as it is kept, from any of the shapes that clients know. */
    static ModelReader.Read<Template> read(String id, ObjectNode given) {
        if (RESERVED.contains(id)) {
            return bad(
                    EmsCode.RESERVED_ID,
                    "The id %s is reserved, because of keys or paths of that name.".formatted(id));
        }
        if (!ModelReader.ID.matcher(id).matches()) {
            return invalid(
                    "An id has 1 to 128 letters, digits and _ . -, beginning with a letter or"
                            + " digit.");
        }
        ObjectNode document = given.deepCopy();
        document.put("id", id);
        units(document, "data", "measurements", "T");
        units(document, "action", "actions", "C");
        rename(document, "data_points", "measurements");
        rename(document, "telemetry", "measurements");
        computed(document);
        for (String member : List.of("measurements", "actions", "properties", "alarms")) {
            JsonNode node = document.path(member);
            if (!node.isMissingNode() && !node.isNull() && !node.isObject()) {
                return invalid(member + " must be an object, name to description.");
            }
        }
        int names = document.path("measurements").size() + document.path("actions").size();
        if (names == 0) {
            return invalid("A template has at least one measurement or action.");
        }
        if (names > ModelReader.MOST_MEMBERS) {
            return invalid("A template has at most 1,000 measurements and actions.");
        }
        Template template = new Template(id, document);
        Optional<Refused> mistake = names(template).or(() -> formulas(template));
        return mistake.<ModelReader.Read<Template>>map(ModelReader.Read.Bad::new)
                .orElseGet(() -> new ModelReader.Read.Good<>(template));
    }

    private static <T> ModelReader.Read<T> bad(EmsCode code, String sentence) {
        return new ModelReader.Read.Bad<>(Refused.of(code, sentence));
    }

    private static <T> ModelReader.Read<T> invalid(String sentence) {
        return bad(EmsCode.VALIDATION_ERROR, sentence);
    }

    /** {@code {name: unit}} of August. */
    private static void units(ObjectNode document, String from, String to, String type) {
        if (document.path(from).isObject() && !document.has(to)) {
            ObjectNode all = document.putObject(to);
            document.path(from)
                    .properties()
                    .forEach(
                            each -> {
                                if (each.getValue().isObject()) {
                                    all.set(each.getKey(), each.getValue());
                                } else {
                                    ObjectNode one = all.putObject(each.getKey());
                                    one.put("type", type);
                                    if (each.getValue().isString()) {
                                        one.put("unit", each.getValue().asString());
                                    }
                                }
                            });
            document.remove(from);
        }
    }

    private static void rename(ObjectNode document, String from, String to) {
        if (document.path(from).isObject() && !document.has(to)) {
            document.set(to, document.get(from));
            document.remove(from);
        }
    }

    private static void computed(ObjectNode document) {
        if (document.path("calculations").isObject()
                && document.path("measurements") instanceof ObjectNode measurements) {
            document.path("calculations")
                    .properties()
                    .forEach(
                            each -> {
                                if (each.getValue().isString()) {
                                    measurements
                                            .putObject(each.getKey())
                                            .put("expression", each.getValue().asString());
                                } else {
                                    measurements.set(each.getKey(), each.getValue());
                                }
                            });
            document.remove("calculations");
        }
    }

    private static Optional<Refused> names(Template template) {
        for (JsonNode part : List.of(template.measurements(), template.actions())) {
            for (Map.Entry<String, JsonNode> each : part.properties()) {
                if (!ModelReader.NAME.matcher(each.getKey()).matches()
                        || !(each.getValue().isObject() || each.getValue().isNull())) {
                    return Optional.of(
                            Refused.of(
                                    EmsCode.VALIDATION_ERROR,
                                    "Each measurement and action has a name of letters, digits and"
                                            + " _ . -, and an object that describes it."));
                }
            }
        }
        return Optional.empty();
    }

    /** What is computed fits together, whatever is mapped later. */
    private static Optional<Refused> formulas(Template template) {
        ObjectNode mappings = Json.MAPPER.createObjectNode();
        ObjectNode measurement = mappings.putObject("measurement");
        template.measurements()
                .properties()
                .forEach(
                        each -> {
                            ObjectNode one = measurement.putObject(each.getKey());
                            if (each.getValue().has("expression")) {
                                one.set("expression", each.getValue().get("expression"));
                            } else {
                                one.put("channel", 1);
                                one.put("point_id", 1);
                            }
                        });
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.set("mappings", mappings);
        return ModelReader.model(new ModelConfiguration("any", document))
                        instanceof ModelReader.Read.Bad<Model>(Refused why)
                ? Optional.of(why)
                : Optional.empty();
    }

    // ---------------------------------------------------------------- models of it

    /**
     * The model that comes of a template and what somebody has said about it.
     *
     * @param said {@code mappings}, {@code mapping}, {@code properties}, {@code name}, {@code
     *     strict}
     */
    static ModelReader.Read<ObjectNode> model(Template template, String id, ObjectNode said) {
        ObjectNode model = Json.MAPPER.createObjectNode();
        model.put("id", id);
        model.put("name", said.path("name").asString(said.path("model_name").asString(id)));
        String type = said.path("type").asString(template.document().path("type").asString(""));
        if (!type.isEmpty()) {
            model.put("type", type);
        }
        model.put("template", template.id());
        model.put("template_version", template.document().path("_version").asLong(0));
        JsonNode description =
                said.has("description")
                        ? said.get("description")
                        : template.document().path("description");
        if (description.isString()) {
            model.set("description", description);
        }
        model.set("properties", properties(template, said.path("properties")));
        ObjectNode mappings = model.putObject("mappings");
        List<String> unknown = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String kind : List.of("measurement", "action")) {
            mappings.set(kind, mapped(template, said, kind, unknown, missing));
        }
        if (!unknown.isEmpty()) {
            return new ModelReader.Read.Bad<>(
                    Refused.of(
                                    EmsCode.UNKNOWN_NAME,
                                    "The template %s has no %s."
                                            .formatted(template.id(), String.join(", ", unknown)))
                            .with("names", unknown));
        }
        if (!missing.isEmpty() && said.path("strict").asBoolean(true)) {
            return new ModelReader.Read.Bad<>(
                    Refused.of(
                                    EmsCode.VALIDATION_ERROR,
                                    "Nothing is mapped to %s; strict=false leaves it out."
                                            .formatted(String.join(", ", missing)))
                            .with("missing", missing));
        }
        if (template.document().path("alarms").isObject()) {
            model.set("alarms", template.document().get("alarms").deepCopy());
        }
        if (said.path("alarms") instanceof ObjectNode more) {
            ObjectNode all =
                    model.path("alarms") instanceof ObjectNode known
                            ? known
                            : model.putObject("alarms");
            more.properties().forEach(each -> all.set(each.getKey(), each.getValue()));
        }
        for (String member : List.of("tags", "auto_apply")) {
            if (said.has(member)) {
                model.set(member, said.get(member));
            }
        }
        return new ModelReader.Read.Good<>(model);
    }

    private static ObjectNode properties(Template template, JsonNode said) {
        ObjectNode properties = Json.MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> each :
                template.document().path("properties").properties()) {
            JsonNode standard = each.getValue().path("default");
            if (!standard.isMissingNode()) {
                properties.set(each.getKey(), standard);
            }
        }
        said.properties().forEach(each -> properties.set(each.getKey(), each.getValue()));
        return properties;
    }

    /** What is said of one name, in whichever form; the base of a channel gives the others. */
    private static ObjectNode mapped(
            Template template,
            ObjectNode said,
            String kind,
            List<String> unknown,
            List<String> missing) {
        boolean reads = kind.equals("measurement");
        JsonNode described = reads ? template.measurements() : template.actions();
        JsonNode full = said.path("mappings").path(kind);
        JsonNode flat = said.path("mappings");
        JsonNode short1 = said.path("mapping");
        JsonNode short2 = short1.path(reads ? "data" : "action");
        JsonNode channel = short1.has("channel") ? short1.get("channel") : flat.path("channel");
        JsonNode base = short1.has("base") ? short1.get("base") : flat.path("base");
        Set<String> named = new LinkedHashSet<>();
        full.propertyNames().forEach(named::add);
        short2.propertyNames().forEach(named::add);
        if (reads) {
            // Also without saying which of them are measurements and which are actions.
            flat.propertyNames().stream()
                    .filter(
                            each ->
                                    !Set.of("measurement", "action", "channel", "base")
                                            .contains(each))
                    .filter(each -> !template.actions().has(each))
                    .forEach(named::add);
        }
        named.stream().filter(each -> !described.has(each)).forEach(unknown::add);
        ObjectNode mapped = Json.MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> each : described.properties()) {
            String name = each.getKey();
            JsonNode about = each.getValue();
            ObjectNode entry = Json.MAPPER.createObjectNode();
            if (full.path(name) instanceof ObjectNode given) {
                entry.setAll(given);
            } else if (flat.path(name) instanceof ObjectNode given) {
                entry.setAll(given);
            } else if (short2.has(name)) {
                entry.set("channel", channel);
                entry.set("point_id", short2.get(name));
            } else if (about.has("expression")) {
                entry.set("expression", about.get("expression"));
            } else if (!channel.isMissingNode() && about.has("base_id")) {
                entry.set("channel", channel);
                entry.put("point_id", base.asLong(0) + about.path("base_id").asLong(0));
            } else {
                missing.add(name);
                continue;
            }
            boolean isPoint = !entry.has("expression") && !entry.has("aggregate");
            if (isPoint && !entry.has("type")) {
                entry.put("type", about.path("type").asString(reads ? "T" : "C"));
            }
            for (String bound : reads ? List.<String>of() : List.of("min", "max")) {
                if (about.has(bound) && !entry.has(bound)) {
                    entry.set(bound, about.get(bound));
                }
            }
            mapped.set(name, entry);
        }
        return mapped;
    }
}
