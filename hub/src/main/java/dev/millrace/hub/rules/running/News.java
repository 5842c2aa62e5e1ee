package dev.millrace.hub.rules.running;

import dev.millrace.hub.history.recording.Observed;
import dev.millrace.hub.history.recording.Recordable;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.rules.logic.SourceRef;
import dev.millrace.hub.telemetry.Announced;
import dev.millrace.hub.why.Episode;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.feed.Fact;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reads the facts that wake rules. Rules look at the time at which a value was measured, which is
 * the one that history has, so that they can be rehearsed. It follows from the fact alone: what is
 * read twice is the same execution.
 */
record News(Runner runner, Recordable models) {
    private static final Logger log = LoggerFactory.getLogger(News.class);

    /** A value that says it is older counts from when it came. */
    private static final long OLDEST_MILLIS = 60_000;

    /** The clocks of those who write may be a little ahead. */
    private static final long AHEAD_MILLIS = 1_000;

    void value(Fact fact) {
        try {
            Announced told = Announced.of(fact.body());
            String key = "comsrv:" + told.channel() + ":" + told.type();
            List<Runner.Heard.Value> all = new ArrayList<>(told.points().size());
            for (Announced.Point each : told.points()) {
                all.add(new Runner.Heard.Value(new SourceRef(key, each.point()), each.text()));
            }
            heard(
                    "v",
                    fact,
                    told.at().toEpochMilli(),
                    all,
                    told.origin(),
                    rule -> rule.isNewValue(fact.shard(), fact.number(), fact.time()));
        } catch (IllegalArgumentException e) {
            log.trace("A fact tells no values. number={}", fact.number());
        }
    }

    void measurement(Fact fact) {
        Optional<Observed> told = models.read(fact);
        if (told.isPresent()) {
            String key = "model:" + told.get().thing().id() + ":" + told.get().kind();
            List<Runner.Heard.Value> all = new ArrayList<>(told.get().fields().size());
            for (Observed.Field each : told.get().fields()) {
                SourceRef source = new SourceRef(key, each.name());
                all.add(new Runner.Heard.Value(source, each.sample().text()));
            }
            heard(
                    "o",
                    fact,
                    told.get().at(),
                    all,
                    Origin.UNKNOWN,
                    rule -> rule.isNewMeasurement(fact.shard(), fact.number(), fact.time()));
        }
    }

    private void heard(
            String kind,
            Fact fact,
            long at,
            List<Runner.Heard.Value> values,
            Origin origin,
            Predicate<LiveRule> fresh) {
        boolean current = at >= fact.time() - OLDEST_MILLIS && at <= fact.time() + AHEAD_MILLIS;
        String name = "%s-%d-%d-%d".formatted(kind, fact.shard(), fact.number(), fact.time());
        runner.heard(
                new Runner.Heard(
                        values,
                        name,
                        origin.isKnown() ? origin : new Origin(name, ""),
                        current ? at : fact.time(),
                        fact.time()),
                fresh);
    }

    void alarm(Fact fact) {
        JsonNode event = json(fact);
        runner.alarm(
                event.path("rule_id").asString(""),
                event.path("type").asString(""),
                "a-%d-%d-%d".formatted(fact.shard(), fact.number(), fact.time()),
                origin(event, fact),
                fact.time());
    }

    /** The alarm of an event, and what had led to it. */
    private static Origin origin(JsonNode event, Fact fact) {
        String cause =
                event.path("cause")
                        .asString("a-%d-%d-%d".formatted(fact.shard(), fact.number(), fact.time()));
        return new Origin(
                cause,
                Episode.id(event.path("rule_id").asString(""), event.path("count").asLong(0)));
    }

    static JsonNode json(Fact fact) {
        try {
            return Json.MAPPER.readTree(fact.body());
        } catch (JacksonException e) {
            return Json.MAPPER.createObjectNode();
        }
    }
}
