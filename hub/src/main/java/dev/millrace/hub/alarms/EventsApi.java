package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.kept.AlarmReads;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Paging;
import dev.millrace.hub.ems.Refused;

import tools.jackson.databind.node.ObjectNode;

import java.util.HashMap;
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
                                                "only after this number, the oldest first; in a"
                                                        + " cluster after one for each list:"
                                                        + " @12:340,@3:7"),
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
        Optional<Since> since = request.query("since_seq").map(this::since);
        Optional<String> rule = request.query("rule_id");
        Optional<String> type = request.query("type");
        Paging paging = request.paging(STANDARD_SIZE);
        if (rule.isEmpty() && type.isEmpty()) {
            Optional<AlarmReads.SomeEvents> part =
                    since.isEmpty()
                            ? Optional.of(reads.events(paging.offset(), paging.size()))
                            : reads.eventsAfter(since.get().all(), paging.offset(), paging.size());
            if (part.isPresent()) {
                return EmsAnswer.ok(paging.part(part.get().events(), part.get().total()));
            }
        }
        List<ObjectNode> found =
                reads.events().stream()
                        .filter(each -> rule.isEmpty() || is(each, "rule_id", rule.get()))
                        .filter(each -> type.isEmpty() || is(each, "type", type.get()))
                        .filter(each -> since.isEmpty() || since.get().isBefore(each))
                        .toList();
        return EmsAnswer.ok(paging.of(since.isPresent() ? found.reversed() : found, each -> each));
    }

    private static boolean is(ObjectNode event, String member, String text) {
        return event.path(member).asString("").equals(text);
    }

    /**
     * What was seen last.
     *
     * @param all the number in lists that are not named
     * @param byList the numbers in those that are
     */
    private record Since(long all, Map<String, Long> byList) {
        boolean isBefore(ObjectNode event) {
            String list = event.path(AlarmReads.LOG).asString("");
            return event.path("seq").asLong(0) > byList.getOrDefault(list, all);
        }
    }

    /** A number says nothing where each list has its own, unless it is before all of them. */
    private Since since(String text) {
        if (reads.isOneList() || text.equals("0")) {
            return new Since(number(text), Map.of());
        }
        Map<String, Long> byList = new HashMap<>();
        for (String each : text.split(",", -1)) {
            int colon = each.indexOf(':');
            if (colon < 0 || !each.startsWith("@")) {
                throw Refused.of(
                                EmsCode.INVALID_PARAMETER,
                                "In a cluster since_seq has one number for each list, as events"
                                    + " name it in log: @12:340,@3:7. Lists that are not named are"
                                    + " read from their beginning.")
                        .exception();
            }
            byList.put(each.substring(0, colon), number(each.substring(colon + 1)));
        }
        return new Since(0, byList);
    }

    private static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "since_seq must be a whole number.")
                    .exception();
        }
        return Long.parseLong(text);
    }
}
