package dev.millrace.hub.rules;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Paging;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.rules.kept.RuleBook;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Business rules over HTTP. */
final class RulesApi {
    static final String ROOM = "rules";
    private static final int MOST_RECORDS = 1000;

    private final RulesService service;

    RulesApi(RulesService service) {
        this.service = service;
    }

    void addTo(EmsRoutes routes) {
        routes.get(
                        "/api/rules",
                        route ->
                                reading("Business rules, by pages.")
                                        .apply(route)
                                        .parameter("enabled", "only those: true or false")
                                        .parameter("group", "only those of this group")
                                        .parameter("search", "only those with this in their name"),
                        this::list)
                .post("/api/rules", changing("Makes a rule."), this::create)
                .post(
                        "/api/rules/test",
                        reading("What a rule would do now. Stores nothing and does nothing."),
                        this::test)
                .get("/api/rules/{id}", reading("One rule."), this::one)
                .put(
                        "/api/rules/{id}",
                        changing("Replaces what a rule says; one that is disabled stays so."),
                        this::replace)
                .delete(
                        "/api/rules/{id}",
                        changing("Removes a rule, with what is known of its runs."),
                        this::delete)
                .post(
                        "/api/rules/{id}/enable",
                        changing("Lets a rule run."),
                        request -> enable(request, true))
                .post(
                        "/api/rules/{id}/disable",
                        changing("Keeps a rule from running."),
                        request -> enable(request, false))
                .post(
                        "/api/rules/{id}/execute",
                        route ->
                                route.needs(Role.OPERATOR, ROOM)
                                        .about("Runs a rule now, with given values."),
                        this::execute)
                .get(
                        "/api/rules/{id}/history",
                        route ->
                                reading("What came of running a rule, newest first.")
                                        .apply(route)
                                        .parameter("limit", "how many, 100 to begin with"),
                        this::history)
                .get(
                        "/api/rules/{id}/stats",
                        reading("How often a rule ran, and how it ended."),
                        request -> EmsAnswer.ok(service.statistics(known(request))))
                .get(
                        "/api/rules/{id}/variables",
                        reading("What a rule looks at."),
                        request ->
                                EmsAnswer.ok(
                                        service.sources(request.variable("id"))
                                                .orElseThrow(() -> absent(request))))
                .get(
                        "/api/executions",
                        route ->
                                reading("What came of running rules, newest first.")
                                        .apply(route)
                                        .parameter("rule_id", "of this rule alone")
                                        .parameter("limit", "how many, 10 to begin with")
                                        .parameter("since", "from this moment on, ISO 8601")
                                        .parameter("success", "only those: true or false"),
                        this::executions)
                .getOwn(
                        "/api/statistics",
                        reading("How many rules there are, and how often they ran."),
                        request -> EmsAnswer.ok(service.statistics()))
                .get(
                        "/api/scheduler/status",
                        reading("Whether rules run, and how many."),
                        request -> EmsAnswer.ok(service.scheduler()))
                .post(
                        "/api/scheduler/reload",
                        changing("Reads all rules anew."),
                        request -> {
                            service.reload();
                            return EmsAnswer.ok(Map.of("reloaded", true));
                        });
    }

    static UnaryOperator<Route.Draft> reading(String about) {
        return route -> route.needs(Role.VIEWER, ROOM).about(about);
    }

    private static UnaryOperator<Route.Draft> changing(String about) {
        return route -> route.needs(Role.ENGINEER, ROOM).about(about);
    }

    static <T> T orRefuse(RulesService.Done<T> done) {
        return switch (done) {
            case RulesService.Done.With<T>(T value) -> value;
            case RulesService.Done.Not<T>(Refused why) -> throw why.exception();
        };
    }

    private static RefusedException absent(EmsRequest request) {
        return Refused.of(
                        EmsCode.RULE_NOT_FOUND,
                        "There is no rule '%s'.".formatted(request.variable("id")))
                .exception();
    }

    private String known(EmsRequest request) {
        return service.get(request.variable("id")).orElseThrow(() -> absent(request)).rule().id();
    }

    private EmsAnswer list(EmsRequest request) {
        Optional<Boolean> enabled = request.flag("enabled");
        Optional<String> group = request.query("group");
        Optional<String> search =
                request.query("search").map(text -> text.toLowerCase(Locale.ROOT));
        List<RuleBook.Entry> found =
                service.all().stream()
                        .filter(each -> enabled.isEmpty() || each.enabled() == enabled.get())
                        .filter(each -> group.isEmpty() || text(each, "group").equals(group.get()))
                        .filter(
                                each ->
                                        search.isEmpty()
                                                || (each.rule().id() + " " + text(each, "name"))
                                                        .toLowerCase(Locale.ROOT)
                                                        .contains(search.get()))
                        .toList();
        List<RuleBook.Entry> shown = new ArrayList<>();
        Paging paging = request.paging();
        Paging.Part part =
                paging.of(
                        found,
                        each -> {
                            shown.add(each);
                            return each.rule().id();
                        });
        return EmsAnswer.ok(paging.part(service.listed(shown), part.total()));
    }

    private static String text(RuleBook.Entry entry, String member) {
        return entry.rule().document().path(member).asString("");
    }

    private static ObjectNode brief(RuleBook.Entry entry) {
        ObjectNode brief = Json.MAPPER.createObjectNode();
        brief.put("id", entry.rule().id());
        brief.put("status", RulesService.word(entry.enabled()));
        return brief;
    }

    private EmsAnswer create(EmsRequest request) {
        RuleBook.Entry entry = orRefuse(service.create(request.object()));
        return EmsAnswer.created("/api/rules/" + entry.rule().id(), RulesService.view(entry))
                .orBare(brief(entry));
    }

    private EmsAnswer one(EmsRequest request) {
        return EmsAnswer.ok(
                RulesService.view(
                        service.get(request.variable("id")).orElseThrow(() -> absent(request))));
    }

    private EmsAnswer replace(EmsRequest request) {
        known(request);
        RuleBook.Entry entry = orRefuse(service.replace(request.variable("id"), request.object()));
        return EmsAnswer.ok(RulesService.view(entry)).orBare(brief(entry));
    }

    private EmsAnswer delete(EmsRequest request) {
        String id = orRefuse(service.delete(request.variable("id")));
        return EmsAnswer.ok(Map.of("id", id, "status", "deleted"));
    }

    private EmsAnswer enable(EmsRequest request, boolean enabled) {
        return EmsAnswer.ok(brief(orRefuse(service.enable(request.variable("id"), enabled))));
    }

    private static ObjectNode context(ObjectNode body) {
        JsonNode context = body.path("context");
        if (context.isMissingNode() || context.isNull()) {
            return Json.MAPPER.createObjectNode();
        }
        if (context instanceof ObjectNode object) {
            return object;
        }
        throw Refused.of(EmsCode.VALIDATION_ERROR, "context is an object of names and values.")
                .exception();
    }

    private EmsAnswer execute(EmsRequest request) {
        known(request);
        ObjectNode body = request.objectOrEmpty();
        boolean force = body.path("force").asBoolean(false) || request.flag("force").orElse(false);
        return EmsAnswer.ok(
                orRefuse(
                        service.execute(
                                request.variable("id"),
                                context(body),
                                force,
                                request.actor().who())));
    }

    private EmsAnswer test(EmsRequest request) {
        ObjectNode body = request.object();
        if (!(body.path("rule") instanceof ObjectNode rule)) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, "rule is the rule to be tested.")
                    .exception();
        }
        return EmsAnswer.ok(orRefuse(service.test(rule, context(body))));
    }

    private EmsAnswer history(EmsRequest request) {
        return EmsAnswer.ok(
                service.executions(
                        Optional.of(known(request)),
                        request.number("limit", 100, 1, MOST_RECORDS),
                        Optional.empty(),
                        Optional.empty()));
    }

    private EmsAnswer executions(EmsRequest request) {
        return EmsAnswer.ok(
                service.executions(
                        request.query("rule_id"),
                        request.number("limit", 10, 1, MOST_RECORDS),
                        request.query("since").map(RulesApi::moment),
                        request.flag("success")));
    }

    private static Instant moment(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "since is a moment in ISO 8601.")
                    .exception();
        }
    }
}
