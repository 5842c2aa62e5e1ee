package dev.millrace.hub.alarms;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.hub.alarms.logic.Level;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.why.Origin;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** {@code /api/alarms}. */
final class AlarmsApi {
    static final String ROOM = "alarms";
    private static final String PATH = "/api/alarms";
    private static final String KIND = "alarm";
    private static final int STANDARD_SIZE = 100;
    private static final int MOST_AT_ONCE = 1000;
    private static final List<String> FILTERS =
            List.of(
                    "status",
                    "level",
                    "state",
                    "acknowledged",
                    "source",
                    "since",
                    "until",
                    "category",
                    "ids");

    private final AlarmsService service;

    AlarmsApi(AlarmsService service) {
        this.service = service;
    }

    void addTo(EmsRoutes routes) {
        routes.get(PATH, read("Alarms; the active ones, unless filters say otherwise."), this::list)
                .post(PATH, write("Raises an alarm by hand."), this::raise)
                .get(PATH + "/{id}", read("One alarm."), this::one)
                .delete(
                        PATH + "/{id}",
                        write("Ends an alarm by hand; it stays readable."),
                        request -> done(request, id -> service.clear(id, user(request))))
                .post(
                        PATH + "/acknowledge",
                        write("Acknowledges many alarms."),
                        this::acknowledgeMany)
                .post(
                        PATH + "/{id}/acknowledge",
                        write("Acknowledges an alarm."),
                        this::acknowledge)
                .post(PATH + "/{id}/ack", write("The same."), this::acknowledge)
                .post(
                        PATH + "/{id}/shelve",
                        write("Keeps an alarm from being shown for a while."),
                        this::shelve)
                .post(
                        PATH + "/{id}/unshelve",
                        write("Shows an alarm again."),
                        request -> done(request, id -> service.unshelve(id, user(request))))
                .post(
                        PATH + "/{id}/reset",
                        write("Ends an alarm that stays until somebody resets it."),
                        request -> done(request, id -> service.reset(id, user(request))));
    }

    static UnaryOperator<Route.Draft> read(String about) {
        return route -> route.needs(Role.VIEWER, ROOM).about(about);
    }

    static UnaryOperator<Route.Draft> write(String about) {
        return route -> route.needs(Role.OPERATOR, ROOM).about(about);
    }

    /** What changes rules, not what they have raised. */
    static UnaryOperator<Route.Draft> configure(String about) {
        return route -> route.needs(Role.ENGINEER, ROOM).about(about);
    }

    private static String id(EmsRequest request) {
        return request.variable("id");
    }

    // ---------------------------------------------------------------- reading

    private EmsAnswer one(EmsRequest request) {
        return EmsAnswer.ok(AlarmView.of(service.get(id(request)).orRefuse()));
    }

    private EmsAnswer list(EmsRequest request) {
        boolean unfiltered = FILTERS.stream().noneMatch(each -> request.query(each).isPresent());
        String status = request.query("status").orElse(unfiltered ? Alarm.ACTIVE : "");
        if (!status.isEmpty() && !status.equals(Alarm.ACTIVE) && !status.equals(Alarm.CLEARED)) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "status must be active or cleared.")
                    .exception();
        }
        Stream<Alarm> found = wanted(request, status).stream();
        for (Predicate<Alarm> each : filters(request, status)) {
            found = found.filter(each);
        }
        List<Alarm> sorted =
                found.sorted(
                                Comparator.comparingLong(
                                                (Alarm each) -> -each.number(Alarm.TRIGGERED_AT))
                                        .thenComparing(Alarm::ruleId))
                        .toList();
        return EmsAnswer.ok(
                request.paging(STANDARD_SIZE)
                        .of(
                                sorted,
                                Map.of(
                                        "id",
                                        Comparator.comparing(Alarm::ruleId),
                                        "level",
                                        Comparator.comparingInt(AlarmsApi::rank),
                                        "triggered_at",
                                        time(Alarm.TRIGGERED_AT),
                                        "updated_at",
                                        time(Alarm.UPDATED_AT),
                                        "count",
                                        time(Alarm.COUNT)),
                                AlarmView::of));
    }

    private List<Alarm> wanted(EmsRequest request, String status) {
        Optional<String> ids = request.query("ids");
        if (ids.isEmpty()) {
            return service.all(status.equals(Alarm.ACTIVE), request.query("source"));
        }
        List<String> each = List.of(ids.get().split(",", -1));
        if (each.size() > MOST_AT_ONCE) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "ids may name at most 1000 alarms.")
                    .exception();
        }
        return service.some(each);
    }

    private static Comparator<Alarm> time(String field) {
        return Comparator.comparingLong(each -> each.number(field));
    }

    private static int rank(Alarm alarm) {
        return Level.of(alarm.text(AlarmRule.LEVEL, "")).map(Level::rank).orElse(0);
    }

    private static List<Predicate<Alarm>> filters(EmsRequest request, String status) {
        List<Predicate<Alarm>> all = new ArrayList<>();
        if (!status.isEmpty()) {
            all.add(each -> each.isActive() == status.equals(Alarm.ACTIVE));
        }
        request.query("level")
                .ifPresent(
                        word -> {
                            Level level =
                                    Level.of(word)
                                            .orElseThrow(
                                                    () ->
                                                            Refused.of(
                                                                            EmsCode
                                                                                    .INVALID_PARAMETER,
                                                                            "level must be"
                                                                                    + " Critical,"
                                                                                    + " Major,"
                                                                                    + " Minor,"
                                                                                    + " Warning or"
                                                                                    + " Info.")
                                                                    .exception());
                            all.add(each -> rank(each) == level.rank());
                        });
        equal(request, "state", Alarm.STATE, all);
        equal(request, "source", AlarmRule.SOURCE_KEY, all);
        equal(request, "category", AlarmRule.CATEGORY, all);
        request.flag("acknowledged")
                .ifPresent(flag -> all.add(each -> each.isAcknowledged() == flag));
        request.query("since")
                .map(text -> seconds("since", text))
                .ifPresent(at -> all.add(each -> each.number(Alarm.TRIGGERED_AT) >= at));
        request.query("until")
                .map(text -> seconds("until", text))
                .ifPresent(at -> all.add(each -> each.number(Alarm.TRIGGERED_AT) <= at));
        return all;
    }

    private static void equal(
            EmsRequest request, String parameter, String field, List<Predicate<Alarm>> all) {
        request.query(parameter).ifPresent(text -> all.add(each -> text.equals(each.text(field))));
    }

    /** A time in ISO 8601, or Unix seconds. */
    private static long seconds(String name, String text) {
        try {
            return text.matches("[0-9]{1,12}")
                    ? Long.parseLong(text)
                    : Instant.parse(text).getEpochSecond();
        } catch (DateTimeException e) {
            throw Refused.of(
                            EmsCode.INVALID_PARAMETER,
                            name + " must be a time such as 2025-08-07T12:00:00Z.")
                    .exception();
        }
    }

    // ---------------------------------------------------------------- changing

    private EmsAnswer raise(EmsRequest request) {
        ObjectNode body = request.object();
        String id =
                text(body, "id")
                        .or(() -> text(body, "rule_id"))
                        .orElse("alarm_" + UUID.randomUUID());
        RuleReader.id(id).orRefuse();
        Map<String, String> fields = new HashMap<>();
        for (String name : List.of("source_key", "field", "category", "description")) {
            text(body, name).ifPresent(value -> fields.put(name, value));
        }
        text(body, "alarm_level")
                .or(() -> text(body, "level"))
                .ifPresent(value -> fields.put(AlarmRule.LEVEL, value));
        fields.put(
                AlarmRule.TITLE,
                text(body, "alarm_title").or(() -> text(body, "title")).orElse(id));
        String level = fields.get(AlarmRule.LEVEL);
        if (level != null && Level.of(level).isEmpty()) {
            throw Refused.of(
                            EmsCode.VALIDATION_ERROR,
                            "alarm_level must be Critical, Major, Minor, Warning or Info.")
                    .exception();
        }
        String value = text(body, "trigger_value").or(() -> text(body, "value")).orElse(null);
        Alarm raised =
                service.raise(
                                new AlarmRule(id, fields),
                                new Happening.RaiseByHand(
                                        value,
                                        user(request, body),
                                        text(body, "note").orElse(null),
                                        Origin.UNKNOWN))
                        .orRefuse();
        request.changed(KIND, id, null, AlarmView.of(raised));
        return EmsAnswer.created(PATH + "/" + id, summary(raised)).orBare(summary(raised));
    }

    private EmsAnswer acknowledge(EmsRequest request) {
        ObjectNode body = request.objectOrEmpty();
        return done(
                request,
                id ->
                        service.acknowledge(
                                id, user(request, body), text(body, "note").orElse(null)));
    }

    private EmsAnswer acknowledgeMany(EmsRequest request) {
        ObjectNode body = request.object();
        JsonNode ids = body.path("ids");
        if (!ids.isArray() || ids.isEmpty() || ids.size() > MOST_AT_ONCE) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, "ids must be a list of 1 to 1000 ids.")
                    .exception();
        }
        List<String> wanted = new ArrayList<>();
        ids.forEach(each -> wanted.add(each.asString("")));
        AlarmsService.Acknowledged done =
                service.acknowledge(wanted, user(request, body), text(body, "note").orElse(null));
        if (!done.acknowledged().isEmpty()) {
            request.changed(KIND, "", null, Map.of("acknowledged", done.acknowledged()));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("acknowledged", done.acknowledged());
        answer.put(
                "failed",
                done.failed().entrySet().stream()
                        .map(
                                each ->
                                        Map.of(
                                                "id",
                                                each.getKey(),
                                                "reason",
                                                each.getValue().code().name()))
                        .toList());
        return EmsAnswer.ok(answer);
    }

    private EmsAnswer shelve(EmsRequest request) {
        ObjectNode body = request.objectOrEmpty();
        JsonNode duration = body.path("duration");
        double seconds = duration.isMissingNode() || duration.isNull() ? 0 : duration.asDouble(-1);
        return done(
                request,
                id ->
                        service.shelve(
                                id,
                                seconds,
                                user(request, body),
                                text(body, "reason").orElse(null)));
    }

    /** Does something with the alarm that the path names. */
    private EmsAnswer done(EmsRequest request, Function<String, Done<Alarm>> work) {
        String id = id(request);
        Optional<Alarm> before = service.find(id);
        Alarm after = work.apply(id).orRefuse();
        request.changed(KIND, id, before.map(AlarmView::of).orElse(null), AlarmView.of(after));
        return EmsAnswer.ok(summary(after));
    }

    private static Map<String, Object> summary(Alarm alarm) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", alarm.ruleId());
        view.put("status", "OK");
        view.put("alarm", AlarmView.of(alarm));
        return view;
    }

    static Optional<String> text(ObjectNode body, String name) {
        JsonNode value = body.get(name);
        return value == null || value.isNull() || value.isContainer()
                ? Optional.empty()
                : Optional.of(value.asString());
    }

    /** Who does it: whoever the body names, or the token. */
    static @Nullable String user(EmsRequest request, ObjectNode body) {
        return text(body, "user").orElseGet(() -> request.caller().name());
    }

    static @Nullable String user(EmsRequest request) {
        return user(request, request.objectOrEmpty());
    }
}
