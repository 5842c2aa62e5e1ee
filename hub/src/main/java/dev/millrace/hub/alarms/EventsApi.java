package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.kept.AlarmReads;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Paging;
import dev.millrace.hub.ems.Refused;

import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** {@code /api/alarm-events} and {@code /api/statistics}. */
final class EventsApi {
    private static final int STANDARD_SIZE = 100;

    private final AlarmReads reads;
    private final Statistics statistics;
    private final Supplier<Map<String, Object>> others;

    /**
     * @param others what other rooms count under the same path
     */
    EventsApi(AlarmReads reads, Statistics statistics, Supplier<Map<String, Object>> others) {
        this.reads = reads;
        this.statistics = statistics;
        this.others = others;
    }

    void addTo(EmsRoutes routes) {
        routes.get(
                        "/api/alarm-events",
                        route ->
                                AlarmsApi.read("What happened to alarms, newest first.")
                                        .apply(route)
                                        .parameter("rule_id", "of this rule alone")
                                        .parameter("type", "of this type alone")
                                        .parameter(
                                                "since_seq",
                                                "only after this number, the oldest first"),
                        this::events)
                .get(
                        "/api/statistics",
                        AlarmsApi.read("How many rules, alarms and events there are."),
                        request -> {
                            Map<String, Object> all = new LinkedHashMap<>(statistics.now());
                            others.get().forEach(all::putIfAbsent);
                            return EmsAnswer.ok(all);
                        });
    }

    private EmsAnswer events(EmsRequest request) {
        Optional<Long> since = request.query("since_seq").map(EventsApi::number);
        Optional<String> rule = request.query("rule_id");
        Optional<String> type = request.query("type");
        Paging paging = request.paging(STANDARD_SIZE);
        if (rule.isEmpty() && type.isEmpty()) {
            Optional<AlarmReads.SomeEvents> part =
                    since.isEmpty()
                            ? Optional.of(reads.events(paging.offset(), paging.size()))
                            : reads.eventsAfter(since.get(), paging.offset(), paging.size());
            if (part.isPresent()) {
                return EmsAnswer.ok(paging.part(part.get().events(), part.get().total()));
            }
        }
        List<ObjectNode> found =
                reads.events().stream()
                        .filter(each -> rule.isEmpty() || is(each, "rule_id", rule.get()))
                        .filter(each -> type.isEmpty() || is(each, "type", type.get()))
                        .filter(each -> since.isEmpty() || each.path("seq").asLong(0) > since.get())
                        .toList();
        return EmsAnswer.ok(paging.of(since.isPresent() ? found.reversed() : found, each -> each));
    }

    private static boolean is(ObjectNode event, String member, String text) {
        return event.path(member).asString("").equals(text);
    }

    private static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "since_seq must be a whole number.")
                    .exception();
        }
        return Long.parseLong(text);
    }
}
