package dev.millrace.hub.models;

import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Templates over HTTP, and models made of them. */
final class TemplatesApi {
    private static final String ONE = "/api/templates/{id}";
    private static final String KIND = "template";

    private final TemplateService service;

    TemplatesApi(TemplateService service) {
        this.service = service;
    }

    void addTo(EmsRoutes routes) {
        routes.get("/api/templates", ModelsApi.reading("All templates."), this::list)
                .post("/api/templates", ModelsApi.changing("Makes a template."), this::create)
                .get(ONE, ModelsApi.reading("One template."), this::template)
                .put(
                        ONE,
                        ModelsApi.changing("Stores a template; If-Match: its version."),
                        this::put)
                .delete(
                        ONE,
                        ModelsApi.changing("Removes a template that no model is made of."),
                        this::delete)
                .post(
                        ONE + "/apply",
                        ModelsApi.changing(
                                "Gives models of a template what it says now; all if none is"
                                        + " named."),
                        this::apply)
                .post(
                        "/api/templates/create-model",
                        ModelsApi.changing("Makes a model of a template."),
                        this::model)
                .post(
                        "/api/models/from-template",
                        ModelsApi.changing("Makes a model of a template."),
                        this::model);
    }

    private EmsAnswer list(EmsRequest request) {
        List<Template> all =
                service.all().stream().sorted(Comparator.comparing(Template::id)).toList();
        return EmsAnswer.ok(request.paging().of(all, Template::document));
    }

    private EmsAnswer template(EmsRequest request) {
        return service.get(request.variable("id"))
                .map(each -> EmsAnswer.ok(each.document()))
                .orElseThrow(() -> TemplateService.unknown(request.variable("id")).exception());
    }

    private EmsAnswer create(EmsRequest request) {
        ObjectNode body = request.object();
        String id = body.path("id").asString("");
        return save(
                request,
                id.isEmpty() ? "template_" + UUID.randomUUID() : id,
                body,
                OptionalLong.empty(),
                true);
    }

    private EmsAnswer put(EmsRequest request) {
        ObjectNode body = request.object();
        String id = request.variable("id");
        if (body.has("id") && !body.path("id").asString("").equals(id)) {
            throw invalid("The id in the body is not the one in the path.");
        }
        return save(request, id, body, ModelsApi.expected(request), false);
    }

    private EmsAnswer save(
            EmsRequest request,
            String id,
            ObjectNode body,
            OptionalLong expected,
            boolean onlyNew) {
        Optional<Template> before = service.get(id);
        return switch (service.save(id, body, expected, onlyNew, request.caller().name())) {
            case TemplateService.Saved.Done(Template template, boolean created) -> {
                request.changed(
                        KIND, id, before.map(Template::document).orElse(null), template.document());
                Map<String, Object> bare = Map.of("id", id, "status", "OK");
                yield created
                        ? EmsAnswer.created("/api/templates/" + id, template.document())
                                .orBare(bare)
                        : EmsAnswer.ok(template.document()).orBare(bare);
            }
            case TemplateService.Saved.Not(Refused why) -> throw why.exception();
        };
    }

    private EmsAnswer delete(EmsRequest request) {
        String id = request.variable("id");
        return switch (service.delete(id, request.caller().name())) {
            case TemplateService.Saved.Done(Template gone, boolean created) -> {
                request.changed(KIND, id, gone.document(), null);
                yield EmsAnswer.ok(Map.of("id", id, "status", "OK", "deleted", true));
            }
            case TemplateService.Saved.Not(Refused why) -> throw why.exception();
        };
    }

    private EmsAnswer apply(EmsRequest request) {
        String id = request.variable("id");
        Template template =
                service.get(id).orElseThrow(() -> TemplateService.unknown(id).exception());
        JsonNode wanted = request.objectOrEmpty().path("models");
        List<String> ids = new ArrayList<>();
        if (wanted.isArray()) {
            wanted.forEach(each -> ids.add(each.asString("")));
        } else if (wanted.isMissingNode()) {
            ids.addAll(service.users(id));
        } else {
            throw invalid("models must be a list of ids.");
        }
        TemplateService.Applied applied = service.apply(template, ids, request.caller().name());
        request.changed(KIND, id, null, Map.of("applied", applied.done()));
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("template_id", id);
        view.put("applied", applied.done());
        view.put("refused", applied.refused());
        return EmsAnswer.ok(view);
    }

    private EmsAnswer model(EmsRequest request) {
        ObjectNode body = request.object();
        String template = body.path("template_id").asString(body.path("template").asString(""));
        String id = body.path("model_id").asString(body.path("id").asString(""));
        if (template.isEmpty() || id.isEmpty()) {
            throw invalid("template_id and model_id are needed.");
        }
        return ModelsApi.saved(
                request,
                id,
                Optional.empty(),
                service.model(template, id, body, request.caller().name()));
    }

    private static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.VALIDATION_ERROR, sentence).exception();
    }
}
