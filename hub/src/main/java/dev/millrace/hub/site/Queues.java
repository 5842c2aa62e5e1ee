package dev.millrace.hub.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.store.Cells;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Event queues: the newest thousand events of each type, numbered without gaps. On a cluster each
 * shard has its own queue with its own numbers, and they are merged by time. Thread-safe.
 */
final class Queues {
    /** What the hub itself tells. */
    private static final List<String> TYPES =
            List.of(
                    "alarm",
                    "control",
                    "channel",
                    "model",
                    "service",
                    "config",
                    "rule",
                    "notification",
                    "dead_letter",
                    "audit");

    /** Types that clients make up. */
    private static final int MOST_TYPES = 1000;

    private static final int LARGEST_EVENT = 64 << 10;

    private final Keyspace keyspace;
    private final Site site;
    private final InstantSource clock;

    Queues(Keyspace keyspace, Site site, InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.clock = clock;
    }

    /** What became of an event. */
    sealed interface Appended {
        record Done(long number) implements Appended {}

        record Not(Refused why) implements Appended {}
    }

    Appended append(String type, ObjectNode event) {
        if (Json.write(event).length > LARGEST_EVENT) {
            return refused(EmsCode.PAYLOAD_TOO_LARGE, "An event has at most 64 KiB.");
        }
        Set<String> known = madeUp();
        Commit commit = keyspace.commitAtSite();
        if (!TYPES.contains(type) && !known.contains(type)) {
            if (known.size() >= MOST_TYPES) {
                return refused(EmsCode.QUEUE_FULL, "There are 1,000 types of events already.");
            }
            commit.addMember(SiteLayouts.EVENT_TYPES.at(), type);
        }
        Map<String, Object> members = new LinkedHashMap<>();
        event.properties()
                .forEach(
                        each -> {
                            if (!each.getKey().equals("seq")) {
                                members.put(each.getKey(), each.getValue());
                            }
                        });
        site.event(commit, Declaration.SITE, type, members, clock.instant());
        long number = commit.run().orThrow();
        return number == 0
                ? refused(
                        EmsCode.STORE_TYPE_CONFLICT,
                        "The key of this queue holds something that somebody else has put there.")
                : new Appended.Done(number);
    }

    private static Appended refused(EmsCode code, String sentence) {
        return new Appended.Not(Refused.of(code, sentence));
    }

    private Set<String> madeUp() {
        return keyspace.cells()
                .members(SiteLayouts.EVENT_TYPES.at(), MOST_TYPES)
                .answer()
                .or(Set.of());
    }

    /** All types of which there are events, with how many. */
    Map<String, Long> sizes() {
        Set<String> types = new TreeSet<>(TYPES);
        types.addAll(madeUp());
        Cells cells = keyspace.cells();
        Map<String, List<Cells.Question<Long>>> questions = new TreeMap<>();
        for (String type : types) {
            questions.put(
                    type,
                    SiteKeys.owners(keyspace).stream()
                            .map(owner -> cells.size(SiteLayouts.events(owner, type)))
                            .toList());
        }
        Map<String, Long> sizes = new LinkedHashMap<>();
        questions.forEach(
                (type, all) -> {
                    long sum = all.stream().mapToLong(each -> each.answer().or(0L)).sum();
                    if (sum > 0) {
                        sizes.put(type, sum);
                    }
                });
        return sizes;
    }

    /**
     * Some events of a type.
     *
     * @param missed how many between the cursor and the first were dropped already
     */
    record Some(List<JsonNode> events, long total, long next, long missed) {}

    /** Those behind a number, the oldest first. */
    Some since(String type, long number, int most) {
        List<JsonNode> all = new ArrayList<>(events(type).reversed());
        if (keyspace.redis().cluster()) {
            all.sort(Comparator.comparingLong(Queues::number));
        }
        long oldest = all.isEmpty() ? 0 : number(all.getFirst());
        long missed = oldest > number + 1 ? oldest - number - 1 : 0;
        List<JsonNode> behind = all.stream().filter(each -> number(each) > number).toList();
        List<JsonNode> some = behind.subList(0, Math.min(most, behind.size()));
        long next = some.isEmpty() ? number : number(some.getLast());
        return new Some(some, all.size(), next, missed);
    }

    /** The newest, which comes first. */
    Some newest(String type, int most) {
        List<JsonNode> all = events(type);
        List<JsonNode> some = all.subList(0, Math.min(most, all.size()));
        return new Some(some, all.size(), some.isEmpty() ? 0 : number(some.getFirst()), 0);
    }

    private static long number(JsonNode event) {
        return event.path("seq").asLong(0);
    }

    private static long time(JsonNode event) {
        return event.path("timestamp").asLong(0);
    }

    /** Newest first; what somebody has pushed that is no object is not an event. */
    private List<JsonNode> events(String type) {
        Cells cells = keyspace.cells();
        List<Cells.Question<List<String>>> questions =
                SiteKeys.owners(keyspace).stream()
                        .map(
                                owner ->
                                        cells.list(
                                                SiteLayouts.events(owner, type),
                                                0,
                                                SiteKeys.MOST_EVENTS - 1))
                        .toList();
        List<JsonNode> all = new ArrayList<>();
        for (Cells.Question<List<String>> each : questions) {
            each.answer().or(List.of()).forEach(text -> parsed(text).ifPresent(all::add));
        }
        if (questions.size() > 1) {
            all.sort(Comparator.comparingLong(Queues::time).reversed());
        }
        return all;
    }

    private static Optional<JsonNode> parsed(String text) {
        try {
            return Optional.of(Json.MAPPER.readTree(text.getBytes(UTF_8)))
                    .filter(JsonNode::isObject);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** The newest event, if it is not older than an hour. */
    Optional<JsonNode> last(String type) {
        Cells cells = keyspace.cells();
        List<Cells.Question<String>> questions =
                SiteKeys.owners(keyspace).stream()
                        .map(owner -> cells.string(SiteLayouts.lastEvent(owner, type)))
                        .toList();
        return questions.stream()
                .map(each -> each.answer().or(""))
                .flatMap(text -> parsed(text).stream())
                .max(Comparator.comparingLong(Queues::time));
    }
}
