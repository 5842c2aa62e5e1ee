package dev.millrace.hub.site;

import dev.millrace.hub.ems.Trail;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Outcome;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who changed what, as events of the type {@code audit}: of what was and what is, only the members
 * that differ. The list keeps the newest thousand, so what is large is left out of them. Values of
 * points are not changes of this kind.
 */
final class AuditTrail implements Trail {
    private static final Logger log = LoggerFactory.getLogger(AuditTrail.class);
    private static final String TYPE = "audit";

    /** In bytes, of each side. */
    private static final int LARGEST = 4096;

    private final Keyspace keyspace;
    private final Site site;
    private final InstantSource clock;
    private final Seldom seldom = new Seldom();

    AuditTrail(Keyspace keyspace, Site site, InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.clock = clock;
    }

    @Override
    public void tell(Change change) {
        JsonNode before = json(change.before());
        JsonNode after = json(change.after());
        if (before instanceof ObjectNode was && after instanceof ObjectNode is) {
            Set<String> names = new TreeSet<>(was.propertyNames());
            names.addAll(is.propertyNames());
            names.removeIf(name -> was.path(name).equals(is.path(name)));
            if (names.isEmpty()) {
                return; // it was so before
            }
            before = was.deepCopy().retain(names);
            after = is.deepCopy().retain(names);
        }
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", change.object());
        event.put("id", change.id());
        event.put("user", change.user());
        event.put("action", action(change));
        event.put("path", change.path());
        event.put("before", small(before));
        event.put("after", small(after));
        event.put("result", "done");
        event.put("request_id", change.requestId());
        Commit commit = keyspace.commitAtSite();
        site.event(commit, Declaration.SITE, TYPE, event, clock.instant());
        Outcome<Long> outcome = commit.run();
        if (!outcome.isStored()) {
            seldom.say(
                    unsaid ->
                            log.warn(
                                    "A change is not in the list of changes. object={} id={}"
                                            + " user={} others={} reason={}",
                                    change.object(),
                                    change.id(),
                                    change.user(),
                                    unsaid,
                                    outcome));
        }
    }

    private static String action(Change change) {
        if (change.before() == null) {
            return "created";
        }
        return change.after() == null ? "deleted" : "updated";
    }

    private static JsonNode json(@Nullable Object value) {
        // As it is written, so that numbers of different types are the same.
        return value == null ? Json.MAPPER.nullNode() : Json.MAPPER.readTree(Json.write(value));
    }

    private static JsonNode small(JsonNode side) {
        int bytes = Json.write(side).length;
        return bytes <= LARGEST
                ? side
                : Json.MAPPER.createObjectNode().put("left_out", true).put("bytes", bytes);
    }
}
