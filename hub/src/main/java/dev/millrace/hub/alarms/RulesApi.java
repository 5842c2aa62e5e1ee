package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.kept.AlarmReads;
import dev.millrace.hub.alarms.kept.RuleChanges;
import dev.millrace.hub.alarms.logic.AlarmEvent;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Level;
import dev.millrace.hub.alarms.logic.Numbers;
import dev.millrace.hub.alarms.logic.Transition;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Paging;
import dev.millrace.hub.ems.Refused;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** {@code /api/alarm-rules}. */
final class RulesApi {
    static final String PATH = "/api/alarm-rules";
    private static final String KIND = "alarm_rule";

    private final RulesService service;

    RulesApi(RulesService service) {
        this.service = service;
    }

    void addTo(EmsRoutes routes) {
        routes.get(PATH, AlarmsApi.read("Alarm rules."), this::list)
                .post(PATH, AlarmsApi.configure("Makes or replaces an alarm rule."), this::post)
                .get(
                        PATH + "/{id}",
                        AlarmsApi.read("One alarm rule."),
                        request -> EmsAnswer.ok(view(service.get(id(request)).orRefuse())))
                .put(PATH + "/{id}", AlarmsApi.configure("The same under this id."), this::put)
                .patch(
                        PATH + "/{id}",
                        AlarmsApi.configure("Changes some members; null takes one away."),
                        this::patch)
                .delete(
                        PATH + "/{id}",
                        AlarmsApi.configure("Deletes an alarm rule with its alarm."),
                        this::delete)
                .post(
                        PATH + "/{id}/enable",
                        AlarmsApi.configure("Its values count from now on."),
                        request -> enable(request, true))
                .post(
                        PATH + "/{id}/disable",
                        AlarmsApi.configure("They do not, and its alarm ends."),
                        request -> enable(request, false))
                .post(
                        PATH + "/{id}/test",
                        AlarmsApi.read("What a value would do, without doing it."),
                        this::test);
    }

    private static String id(EmsRequest request) {
        return request.variable("id");
    }

    private ObjectNode view(AlarmRule rule) {
        return service.view(rule);
    }

    private static EmsAnswer ok(String id) {
        return EmsAnswer.ok(Map.of("id", id, "status", "OK"));
    }

    private EmsAnswer list(EmsRequest request) {
        Optional<Boolean> enabled = request.flag("enabled");
        Optional<String> source = request.query("source_key").or(() -> request.query("source"));
        Optional<String> level = request.query("level");
        Optional<String> search =
                request.query("search").map(text -> text.toLowerCase(Locale.ROOT));
        List<AlarmRule> found =
                service.all().stream()
                        .map(AlarmReads.Both::rule)
                        .filter(each -> enabled.isEmpty() || each.isEnabled() == enabled.get())
                        .filter(each -> source.isEmpty() || source.get().equals(each.sourceKey()))
                        .filter(
                                each ->
                                        level.isEmpty()
                                                || Level.of(level.get())
                                                        .filter(one -> one == each.level())
                                                        .isPresent())
                        .filter(each -> search.isEmpty() || matches(each, search.get()))
                        .toList();
        Map<String, Comparator<? super AlarmRule>> orders =
                Map.of(
                        "id",
                        Comparator.comparing(AlarmRule::id),
                        "level",
                        Comparator.comparingInt(each -> each.level().rank()));
        List<AlarmRule> shown = new ArrayList<>();
        Paging paging = request.paging();
        Paging.Part part =
                paging.of(
                        found,
                        orders,
                        each -> {
                            shown.add(each);
                            return each.id();
                        });
        return EmsAnswer.ok(paging.part(service.views(shown), part.total()));
    }

    private static boolean matches(AlarmRule rule, String text) {
        return rule.id().toLowerCase(Locale.ROOT).contains(text)
                || rule.title().toLowerCase(Locale.ROOT).contains(text)
                || String.valueOf(rule.sourceKey()).contains(text);
    }

    private EmsAnswer post(EmsRequest request) {
        ObjectNode body = request.object();
        String id = AlarmsApi.text(body, "id").orElse("rule_" + UUID.randomUUID());
        boolean isNew =
                request.query("mode").filter("create"::equals).isPresent()
                        || request.header("If-None-Match").filter("*"::equals).isPresent();
        RuleChanges.Mode mode = isNew ? RuleChanges.Mode.NEW : RuleChanges.Mode.EITHER;
        return save(id, body, mode, request);
    }

    private EmsAnswer put(EmsRequest request) {
        ObjectNode body = request.object();
        Optional<String> inBody = AlarmsApi.text(body, "id");
        if (inBody.isPresent() && !inBody.get().equals(id(request))) {
            throw Refused.of(
                            EmsCode.VALIDATION_ERROR,
                            "The id of the body is another than that of the path.")
                    .exception();
        }
        return save(id(request), body, RuleChanges.Mode.EITHER, request);
    }

    private EmsAnswer delete(EmsRequest request) {
        String id = id(request);
        ObjectNode before = view(service.get(id).orRefuse());
        String gone = service.delete(id, AlarmsApi.user(request)).orRefuse();
        request.changed(KIND, id, before, null);
        return ok(gone);
    }

    private EmsAnswer save(String id, ObjectNode body, RuleChanges.Mode mode, EmsRequest request) {
        Optional<ObjectNode> before = service.find(id).map(this::view);
        RulesService.Stored stored =
                service.save(id, body, mode, request.caller().name()).orRefuse();
        for (AlarmRule each : stored.rules()) {
            ObjectNode was = each.id().equals(id) ? before.orElse(null) : null;
            request.changed(KIND, each.id(), was, view(each));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", id);
        answer.put("status", "OK");
        if (stored.rules().size() > 1 || !stored.rules().getFirst().id().equals(id)) {
            answer.put("rules", stored.rules().stream().map(AlarmRule::id).toList());
        }
        return stored.created() ? EmsAnswer.created(PATH + "/" + id, answer) : EmsAnswer.ok(answer);
    }

    private EmsAnswer patch(EmsRequest request) {
        ObjectNode body = request.object();
        ObjectNode before = view(service.get(id(request)).orRefuse());
        ObjectNode after =
                view(service.patch(id(request), body, request.caller().name()).orRefuse());
        request.changed(KIND, id(request), before, after);
        return EmsAnswer.ok(after);
    }

    private EmsAnswer enable(EmsRequest request, boolean enabled) {
        ObjectNode before = view(service.get(id(request)).orRefuse());
        AlarmRule rule = service.enable(id(request), enabled, AlarmsApi.user(request)).orRefuse();
        request.changed(KIND, rule.id(), before, view(rule));
        return ok(rule.id());
    }

    private EmsAnswer test(EmsRequest request) {
        ObjectNode body = request.object();
        String text = AlarmsApi.text(body, "value").orElse("");
        double number = Numbers.of(text);
        if (Double.isNaN(number)) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, "value must be a number.").exception();
        }
        Transition transition = service.test(id(request), text, number).orRefuse();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", id(request));
        answer.put("value", number);
        answer.put("result", result(transition));
        answer.put("triggers", transition.triggers());
        answer.put("clears", transition.clears());
        answer.put("state", transition.after().text("state", "NORM"));
        answer.put(
                "events",
                transition.events().stream()
                        .map(AlarmEvent::type)
                        .map(AlarmEvent.Type::word)
                        .toList());
        return EmsAnswer.ok(answer);
    }

    private static String result(Transition transition) {
        if (transition.triggers()) {
            return "trigger";
        } else if (transition.clears()) {
            return "clear";
        } else if (transition.isNone()) {
            return "nothing";
        }
        return transition.before().isActive() ? "update" : "pending";
    }
}
