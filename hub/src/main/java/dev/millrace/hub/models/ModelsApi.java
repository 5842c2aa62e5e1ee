package dev.millrace.hub.models;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.site.ConfigurationKind;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.store.Cells;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Models over HTTP. */
final class ModelsApi {
    static final String ROOM = "models";
    private static final String ONE = "/api/models/{id}";
    private static final String KIND = "model";
    private static final Pattern MEASUREMENT =
            Pattern.compile("[^:\\p{Cntrl}_][^:\\p{Cntrl}]{0,127}");
    private static final int LONGEST_VALUE = 1000;

    private static final Map<String, Comparator<? super Model>> ORDERS =
            Map.of(
                    "id", Comparator.comparing(Model::id),
                    "name", Comparator.comparing(Model::name),
                    "type", Comparator.comparing(Model::type));

    private final Keyspace keyspace;
    private final ModelBook book;
    private final ModelService service;
    private final ModelWrites writes;
    private final ModelFollower follower;
    private final ModelActions actions;
    private final InstantSource clock;

    ModelsApi(
            Keyspace keyspace,
            ModelBook book,
            ModelService service,
            ModelWrites writes,
            ModelFollower follower,
            ModelActions actions,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.book = book;
        this.service = service;
        this.writes = writes;
        this.follower = follower;
        this.actions = actions;
        this.clock = clock;
    }

    void addTo(EmsRoutes routes) {
        routes.get(
                        "/api/models",
                        route ->
                                reading("All models.")
                                        .apply(route)
                                        .parameter("type", "of this type alone")
                                        .parameter("template", "made of this template alone")
                                        .parameter("search", "whose name or id contains this"),
                        this::list)
                .post("/api/models", changing("Makes a model."), this::create)
                .get(ONE, reading("One model, as it works."), this::model)
                .put(ONE, changing("Stores a model; If-Match: its version."), this::put)
                .delete(
                        ONE,
                        changing("Removes a model with its values and alarm rules."),
                        this::delete)
                .get(
                        ONE + "/data",
                        route ->
                                reading("What a model measures, and what was ordered last.")
                                        .apply(route)
                                        .parameter("type", "measurement or action"),
                        this::data)
                .get(ONE + "/status", reading("How a model is."), this::status)
                .post(
                        ONE + "/measurement",
                        operating("Sets measurements of a model: names and values."),
                        this::measure)
                .post(
                        ONE + "/sync",
                        operating("Reads all points of a model again."),
                        request -> EmsAnswer.ok(synced(model(known(request)))))
                .post(ONE + "/action", operating("Orders an action."), this::act)
                .post(
                        "/api/sync/all",
                        operating("Reads the points of all models again."),
                        request -> EmsAnswer.ok(all()));
    }

    static UnaryOperator<Route.Draft> reading(String about) {
        return route -> route.needs(Role.VIEWER, ROOM).about(about);
    }

    private static UnaryOperator<Route.Draft> operating(String about) {
        return route -> route.needs(Role.OPERATOR, ROOM).about(about);
    }

    static UnaryOperator<Route.Draft> changing(String about) {
        return route -> route.needs(Role.ENGINEER, ROOM).about(about);
    }

    static OptionalLong expected(EmsRequest request) {
        String text = request.header("If-Match").orElse("").replace("\"", "").strip();
        if (text.isEmpty() || text.equals("*")) {
            return OptionalLong.empty();
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "If-Match must be a version, a number.")
                    .exception();
        }
        return OptionalLong.of(Long.parseLong(text));
    }

    // ---------------------------------------------------------------- configurations

    private EmsAnswer list(EmsRequest request) {
        Optional<String> type = request.query("type");
        Optional<String> template = request.query("template");
        Optional<String> search =
                request.query("search").map(text -> text.toLowerCase(Locale.ROOT));
        List<Model> wanted =
                book.models().stream()
                        .filter(each -> type.isEmpty() || each.type().equals(type.get()))
                        .filter(
                                each ->
                                        template.isEmpty()
                                                || each.template().equals(template.get()))
                        .filter(
                                each ->
                                        search.isEmpty()
                                                || (each.id() + " " + each.name())
                                                        .toLowerCase(Locale.ROOT)
                                                        .contains(search.get()))
                        .toList();
        return EmsAnswer.ok(request.paging().of(wanted, ORDERS, this::line));
    }

    private Map<String, Object> line(Model model) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("id", model.id());
        line.put("name", model.name());
        line.put("type", model.type());
        line.put("template", model.template());
        line.put("measurements", List.copyOf(model.members().keySet()));
        line.put("actions", List.copyOf(model.actions().keySet()));
        line.put("state", statusOf(model.id()).getOrDefault("state", ""));
        return line;
    }

    private EmsAnswer create(EmsRequest request) {
        ObjectNode body = request.object();
        JsonNode id = body.path("id");
        String chosen = id.asString("").isEmpty() ? "model_" + UUID.randomUUID() : id.asString();
        return saved(
                request,
                chosen,
                Optional.empty(),
                service.save(chosen, body, OptionalLong.empty(), true, request.caller().name()));
    }

    private EmsAnswer put(EmsRequest request) {
        String id = request.variable("id");
        ObjectNode body = request.object();
        if (body.has("id") && !body.path("id").asString("").equals(id)) {
            throw invalid("The id in the body is not the one in the path.");
        }
        Optional<ObjectNode> before = service.get(id);
        return saved(
                request,
                id,
                before,
                service.save(id, body, expected(request), false, request.caller().name()));
    }

    static EmsAnswer saved(
            EmsRequest request,
            String id,
            Optional<ObjectNode> before,
            ConfigurationKind.Saved saved) {
        return switch (saved) {
            case ConfigurationKind.Saved.Done(ObjectNode document, boolean created) -> {
                request.changed(KIND, id, before.orElse(null), document);
                Map<String, Object> bare = Map.of("id", id, "status", "OK");
                yield created
                        ? EmsAnswer.created("/api/models/" + id, document).orBare(bare)
                        : EmsAnswer.ok(document).orBare(bare);
            }
            case ConfigurationKind.Saved.Not(Refused why) -> throw why.exception();
        };
    }

    private EmsAnswer delete(EmsRequest request) {
        String id = request.variable("id");
        return switch (service.delete(id, false, request.caller().name())) {
            case ConfigurationKind.Saved.Done(ObjectNode gone, boolean created) -> {
                request.changed(KIND, id, gone, null);
                yield EmsAnswer.ok(Map.of("id", id, "status", "OK", "deleted", true));
            }
            case ConfigurationKind.Saved.Not(Refused why) -> throw why.exception();
        };
    }

    private EmsAnswer model(EmsRequest request) {
        return service.effective(request.variable("id"))
                .map(each -> EmsAnswer.ok(each.document()))
                .orElseThrow(() -> unknown(request));
    }

    private static RefusedException unknown(EmsRequest request) {
        return ModelService.unknownModel(request.variable("id")).exception();
    }

    private String known(EmsRequest request) {
        String id = request.variable("id");
        if (service.effective(id).isEmpty()) {
            throw unknown(request);
        }
        return id;
    }

    /** One that another hub has made a moment ago is there too. */
    private Model model(String id) {
        Optional<Model> model = book.get(id);
        if (model.isEmpty()) {
            book.reload();
            model = book.get(id);
        }
        return model.orElseThrow(
                () ->
                        Refused.of(
                                        EmsCode.VALIDATION_ERROR,
                                        "The configuration of %s cannot be used; somebody has written it otherwise."
                                                .formatted(id))
                                .exception());
    }

    // ---------------------------------------------------------------- values

    private EmsAnswer data(EmsRequest request) {
        String id = known(request);
        String type = request.query("type").orElse("");
        if (!type.isEmpty() && !type.equals("measurement") && !type.equals("action")) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "type must be measurement or action.")
                    .exception();
        }
        Cells cells = keyspace.cells();
        var measurement = cells.string(ModelsLayouts.MEASUREMENT.at(id));
        var action = cells.string(ModelsLayouts.ACTION.at(id));
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("model_id", id);
        view.put("model_name", book.get(id).map(Model::name).orElse(id));
        view.put("timestamp", clock.instant().toString());
        if (!type.equals("action")) {
            view.put("measurement", object(measurement.answer().or("")));
        }
        if (!type.equals("measurement")) {
            view.put("action", object(action.answer().or("")));
        }
        return EmsAnswer.ok(view);
    }

    private static JsonNode object(String text) {
        try {
            JsonNode node = Json.MAPPER.readTree(text);
            return node.isObject() ? node : Json.MAPPER.createObjectNode();
        } catch (JacksonException e) {
            return Json.MAPPER.createObjectNode();
        }
    }

    private Map<String, String> statusOf(String id) {
        return keyspace.cells().hash(ModelsLayouts.STATUS.at(id)).answer().or(Map.of());
    }

    private EmsAnswer status(EmsRequest request) {
        String id = known(request);
        Map<String, String> status = statusOf(id);
        String last = status.getOrDefault("last_update", "");
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("model_id", id);
        view.put("state", status.getOrDefault("state", ModelState.NORMAL));
        view.put(
                "last_update",
                last.matches("[0-9]{1,11}")
                        ? Instant.ofEpochSecond(Long.parseLong(last)).toString()
                        : null);
        view.put("error_msg", status.getOrDefault("error_msg", ""));
        return EmsAnswer.ok(view);
    }

    private EmsAnswer measure(EmsRequest request) {
        String id = known(request);
        Map<String, JsonNode> values = values(request.object());
        Model model = model(id);
        Instant now = clock.instant();
        ModelWrites.Result result =
                writes.write(new ModelWrites.Change(model, Map.of(), values, now, false));
        result.outcome().orThrow();
        request.changed("measurement", id, null, values);
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("model_id", id);
        view.put("written", values.size());
        view.put("alarms", Map.of("triggered", result.triggered(), "cleared", result.cleared()));
        view.put("timestamp", now.toString());
        return EmsAnswer.ok(view);
    }

    private static Map<String, JsonNode> values(ObjectNode body) {
        if (body.isEmpty() || body.size() > ModelReader.MOST_MEMBERS) {
            throw invalid("The body must have 1 to 1,000 names and values.");
        }
        Map<String, JsonNode> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> each : body.properties()) {
            JsonNode value = each.getValue();
            if (!MEASUREMENT.matcher(each.getKey()).matches()) {
                throw invalid(
                        "A name has 1 to 128 characters, no colon, and no _ at its beginning.");
            }
            if (value.isNumber()) {
                if (!Double.isFinite(value.doubleValue())) {
                    throw invalid(each.getKey() + " is too large a number.");
                }
                values.put(each.getKey(), ModelState.number(value.doubleValue()));
            } else if (value.isBoolean()
                    || (value.isString() && value.asString().length() <= LONGEST_VALUE)) {
                values.put(each.getKey(), value);
            } else {
                throw invalid(
                        each.getKey()
                                + " must be a number, a text of at most 1,000 characters, true or"
                                + " false.");
            }
        }
        return values;
    }

    private Map<String, Object> synced(Model model) {
        int count = follower.sync(model);
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("model_id", model.id());
        view.put("synced", count);
        view.put("timestamp", clock.instant().toString());
        return view;
    }

    private Map<String, Object> all() {
        List<Map<String, Object>> results = new ArrayList<>();
        for (Model each : book.models()) {
            results.add(synced(each));
        }
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("total_models", results.size());
        view.put(
                "synced_models",
                results.stream().filter(each -> !Objects.equals(each.get("synced"), 0)).count());
        view.put("results", results);
        view.put("timestamp", clock.instant().toString());
        return view;
    }

    // ---------------------------------------------------------------- actions

    private EmsAnswer act(EmsRequest request) {
        String id = known(request);
        ObjectNode body = request.object();
        String action = body.path("action").asString("");
        JsonNode value = body.path("value");
        if (action.isEmpty()) {
            throw invalid("action is missing: its name.");
        }
        double number =
                value.isBoolean() ? (value.booleanValue() ? 1 : 0) : value.asDouble(Double.NaN);
        if (!Double.isFinite(number)) {
            throw invalid("value must be a number.");
        }
        Actor by = new Actor(request.caller().name(), "api");
        Model model = model(id);
        String text = ModelState.number(number).asString("");
        return switch (actions.execute(model, action, text, number, by)) {
            case ModelActions.Done.Not(Refused why) -> throw why.exception();
            case ModelActions.Done.Given(var command, Model.ActionPoint point) -> {
                Map<String, Object> view = new LinkedHashMap<>();
                view.put("status", "pending");
                view.put("model_id", id);
                view.put("action", action);
                view.put("value", ModelState.number(number));
                view.put("channel", point.point().channel());
                view.put("point", Long.valueOf(point.point().point()));
                view.put("cmd_id", command.id());
                yield EmsAnswer.accepted(view);
            }
        };
    }

    private static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.VALIDATION_ERROR, sentence).exception();
    }
}
