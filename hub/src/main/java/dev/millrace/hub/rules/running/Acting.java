package dev.millrace.hub.rules.running;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.rules.kept.RunLog;
import dev.millrace.hub.rules.logic.Action;
import dev.millrace.hub.rules.logic.Memory;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.schedule.Schedule;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Does what a run comes to. What is only stored goes into one commit, with the record, the counters
 * and what the rule remembers. What reaches out goes after it, and until that is done the execution
 * stands in a schedule: whoever runs rules after a crash does the rest, with the same ids, so that
 * no device is operated twice. Thread-safe.
 */
final class Acting {
    private static final Duration UNTIL_TAKEN_UP = Duration.ofSeconds(60);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final Keyspace keyspace;
    private final RunLog log;
    private final Site site;
    private final Ways ways;
    private final Schedule unfinished;

    Acting(Keyspace keyspace, RunLog log, Site site, Ways ways) {
        this.keyspace = keyspace;
        this.log = log;
        this.site = site;
        this.ways = ways;
        this.unfinished = keyspace.schedule("rules-unfinished");
    }

    /**
     * Carries out an execution to its end; gives its record.
     *
     * @param byHand whether whoever runs rules is to be told of it
     */
    ObjectNode act(Execution execution, Memory memory, boolean byHand) {
        long began = System.nanoTime();
        boolean does = execution.success() && !execution.rule().shadow();
        boolean reachesOut =
                does && execution.planned().stream().anyMatch(each -> reachesOut(each.action()));
        Commit last = keyspace.commitAtSite();
        if (does) {
            for (Action.Planned each : execution.planned()) {
                store(last, execution, each);
            }
        }
        if (reachesOut) {
            log.remember(last, execution.rule().id(), memory);
            last.once(execution.id())
                    .with(
                            unfinished.item(
                                    execution.id(),
                                    System.currentTimeMillis() + UNTIL_TAKEN_UP.toMillis(),
                                    Json.write(intent(execution))))
                    .run()
                    .orThrow();
            last =
                    keyspace.commitAtSite()
                            .once(execution.id() + ":end")
                            .with(unfinished.without(execution.id()));
        } else {
            last.once(execution.id());
        }
        go(execution);
        long millis = (System.nanoTime() - began) / NANOS_PER_MILLI;
        ObjectNode record = execution.record(millis);
        log.remember(last, execution.rule().id(), memory);
        log.record(
                last,
                execution.rule().id(),
                record,
                new RunLog.Ended(
                        execution.triggered(),
                        execution.success(),
                        millis,
                        execution.sight().now() / 1000));
        if (byHand) {
            log.tellRan(last, execution.rule().id());
        }
        last.run().orThrow();
        return record;
    }

    /** In order; the first failure stops the rest unless its action says that it does not. */
    private void go(Execution execution) {
        boolean stopped = !execution.success();
        int number = 0;
        for (Action.Planned each : execution.planned()) {
            number++;
            if (stopped) {
                execution.came(each, new Ways.Result("skipped", "", ""));
            } else if (execution.rule().shadow()) {
                execution.came(each, new Ways.Result("shadow", "", ""));
            } else {
                Ways.Result result =
                        reachesOut(each.action())
                                ? ways.go(
                                        execution.rule().id(),
                                        execution.id(),
                                        number,
                                        each,
                                        execution.origin())
                                : Ways.Result.done();
                execution.came(each, result);
                stopped = result.failed() && !each.action().goesOn();
            }
        }
    }

    private static boolean reachesOut(Action action) {
        return switch (action.kind()) {
            case COMMAND, WRITE, MODEL, PUBLISH, NOTIFY, ALARM -> true;
            case KEEP, EVENT, LOG -> false;
        };
    }

    private void store(Commit commit, Execution execution, Action.Planned planned) {
        Instant at = Instant.ofEpochMilli(execution.sight().now());
        String ruleId = execution.rule().id();
        switch (planned.action().kind()) {
            case KEEP ->
                    log.keep(
                            commit,
                            planned.action().target().substring("rulesrv:value:".length()),
                            planned.value(),
                            Duration.ofSeconds(planned.filled().path("ttl").asLong(0)));
            case EVENT ->
                    event(
                            commit,
                            planned.action().target(),
                            ruleId,
                            planned.filled().path("data"),
                            at);
            case PUBLISH ->
                    event(
                            commit,
                            planned.action().target(),
                            ruleId,
                            Ways.message(ruleId, planned),
                            at);
            case NOTIFY -> event(commit, "notification", ruleId, notice(planned.filled()), at);
            case COMMAND, WRITE, MODEL, ALARM, LOG -> {}
        }
    }

    private static ObjectNode notice(ObjectNode filled) {
        ObjectNode notice = Json.MAPPER.createObjectNode();
        for (String each : List.of("level", "message", "recipients")) {
            if (filled.has(each)) {
                notice.set(each, filled.path(each).deepCopy());
            }
        }
        return notice;
    }

    private void event(Commit commit, String type, String ruleId, JsonNode data, Instant at) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        event.put("source", "rule:" + ruleId);
        if (data instanceof ObjectNode object) {
            object.properties().forEach(each -> event.put(each.getKey(), each.getValue()));
        } else if (!data.isMissingNode()) {
            event.put("data", data);
        }
        site.event(commit, Declaration.SITE, type, event, at);
    }

    // ------------------------------------------------------------------ after a crash

    private static ObjectNode intent(Execution execution) {
        ObjectNode intent = Json.MAPPER.createObjectNode();
        intent.put("rule_id", execution.rule().id());
        intent.set("record", execution.record(0));
        ArrayNode actions = intent.putArray("actions");
        int number = 0;
        for (Action.Planned each : execution.planned()) {
            number++;
            if (reachesOut(each.action())) {
                ObjectNode line = actions.addObject();
                line.put("number", number);
                line.put("kind", each.action().kind().name());
                line.put("target", each.action().target());
                line.put("goes_on", each.action().goesOn());
                line.put("value", each.value());
                line.set("filled", each.filled());
            }
        }
        return intent;
    }

    /** Does the rest of executions whose hub has ended; each once, by its ids. */
    void finishOthers() {
        for (Schedule.Claim claim : unfinished.claim(Declaration.SITE, 16, LEASE)) {
            JsonNode intent;
            try {
                intent = Json.MAPPER.readTree(claim.body());
            } catch (JacksonException e) {
                claim.commit().with(claim.done()).run();
                continue;
            }
            finish(claim, intent);
        }
    }

    private void finish(Schedule.Claim claim, JsonNode intent) {
        String ruleId = intent.path("rule_id").asString("");
        ObjectNode record =
                intent.path("record") instanceof ObjectNode known
                        ? known.deepCopy()
                        : Json.MAPPER.createObjectNode();
        ArrayNode done = record.putArray("actions_executed");
        String error = "";
        for (JsonNode each : intent.path("actions")) {
            Action action =
                    new Action(
                            Action.Kind.valueOf(each.path("kind").asString("LOG")),
                            each.path("target").asString(""),
                            Json.MAPPER.createObjectNode(),
                            Optional.empty(),
                            each.path("goes_on").asBoolean(false));
            ObjectNode filled =
                    each.path("filled") instanceof ObjectNode known
                            ? known
                            : Json.MAPPER.createObjectNode();
            ObjectNode line = done.addObject();
            line.put("type", filled.path("type").asString(""));
            line.put("target", action.target());
            line.put("value", each.path("value").asString(""));
            Execution.leadsTo(
                    line,
                    action.kind(),
                    action.target(),
                    ruleId,
                    claim.id() + "-" + each.path("number").asInt(0));
            if (!error.isEmpty()) {
                line.put("status", "skipped");
                continue;
            }
            Ways.Result result =
                    ways.go(
                            ruleId,
                            claim.id(),
                            each.path("number").asInt(0),
                            new Action.Planned(action, filled, each.path("value").asString("")),
                            new Origin(record.path("cause").asString(""), claim.id()));
            line.put("status", result.status());
            if (!result.commandId().isEmpty()) {
                line.put("cmd_id", result.commandId());
            }
            if (result.failed()) {
                line.put("error", result.error());
                if (!action.goesOn()) {
                    error = result.error();
                }
            }
        }
        record.put("success", error.isEmpty());
        record.put("resumed", true);
        if (!error.isEmpty()) {
            record.put("error", error);
        }
        Commit commit = claim.commit().once(claim.id() + ":end").with(claim.done());
        log.record(
                commit,
                ruleId,
                record,
                new RunLog.Ended(true, error.isEmpty(), 0, Instant.now().getEpochSecond()));
        commit.run();
    }
}
