package dev.millrace.hub.rules.kept;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.rules.logic.Memory;
import dev.millrace.hub.rules.logic.Rule;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.store.Cells;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What came of running rules: records, counters and what rules remember. Thread-safe. */
public final class RunLog {
    private static final int AT_ONCE = 500;
    private static final int MOST_RECORDS = 1000;
    private static final Duration KEPT = Duration.ofDays(7);
    private static final int MOST_SEARCHED = 200;
    private static final int STEP = 100;
    private static final String LAST = "last_execution:";

    private final Keyspace keyspace;
    private final Feed feed;

    public RunLog(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.feed = keyspace.feed(RuleBook.TOPIC);
    }

    /**
     * How a run ended, for the counters.
     *
     * @param triggered whether it acted
     * @param at in seconds since 1970
     */
    public record Ended(boolean triggered, boolean success, long durationMillis, long at) {}

    /** Adds a record, its counters and what the rule remembers to a commit at the site. */
    public void record(Commit commit, String id, ObjectNode record, Ended ended) {
        var counters = RulesLayouts.STATISTICS.at();
        commit.push(RulesLayouts.EXECUTIONS.at(id), Json.write(record), MOST_RECORDS)
                .expire(RulesLayouts.EXECUTIONS.at(id), KEPT)
                .incrementField(counters, "total_executions", 1)
                .incrementField(counters, "executions:" + id, 1)
                .incrementField(counters, "total_duration_ms", ended.durationMillis);
        if (ended.triggered) {
            commit.incrementField(counters, "total_triggered", 1)
                    .incrementField(counters, "triggered:" + id, 1);
        }
        if (ended.success) {
            commit.incrementField(counters, "total_success", 1);
        } else {
            commit.incrementField(counters, "total_failed", 1)
                    .incrementField(counters, "failed:" + id, 1);
        }
        commit.setFields(
                counters,
                Map.of(
                        "last_execution",
                        Long.toString(ended.at),
                        "last_execution:" + id,
                        Long.toString(ended.at),
                        "last_result:" + id,
                        ended.success ? "success" : "failed"));
    }

    public void remember(Commit commit, String id, Memory memory) {
        commit.set(RulesLayouts.MEMORY.at(id), Json.write(memory.kept()));
    }

    /** A value of the rules' own. */
    public void keep(Commit commit, String name, String value, Duration forTime) {
        commit.set(RulesLayouts.VALUES.at(name), value);
        if (forTime.isPositive()) {
            commit.expire(RulesLayouts.VALUES.at(name), forTime);
        }
    }

    /** Tells whoever runs rules that somebody else has run one. */
    public void tellRan(Commit commit, String id) {
        commit.with(feed.fact(RuleBook.fact("ran", id)));
    }

    /** Looks that came to nothing, and those that were left out, since they were counted last. */
    public static final class Counts {
        private final Map<String, Long> executions = new HashMap<>();

        /** Of rules that are no longer there. */
        private long others;

        private long skipped;

        public synchronized void looked(String id) {
            executions.merge(id, 1L, Long::sum);
        }

        public synchronized void skipped() {
            skipped++;
        }

        /** Rules that are gone have no counters of their own any more. */
        public synchronized void keepOnly(Predicate<String> there) {
            Iterator<Map.Entry<String, Long>> all = executions.entrySet().iterator();
            while (all.hasNext()) {
                Map.Entry<String, Long> each = all.next();
                if (!there.test(each.getKey())) {
                    others += each.getValue();
                    all.remove();
                }
            }
        }

        public synchronized boolean isEmpty() {
            return executions.isEmpty() && others == 0 && skipped == 0;
        }

        /** Some of them; the rest is for the next commit. */
        private synchronized void addTo(Commit commit) {
            var counters = RulesLayouts.STATISTICS.at();
            long total = others;
            int writes = 0;
            Iterator<Map.Entry<String, Long>> all = executions.entrySet().iterator();
            while (all.hasNext() && writes++ < AT_ONCE) {
                Map.Entry<String, Long> each = all.next();
                commit.incrementField(counters, "executions:" + each.getKey(), each.getValue());
                total += each.getValue();
                all.remove();
            }
            if (total > 0) {
                commit.incrementField(counters, "total_executions", total);
            }
            if (skipped > 0) {
                commit.incrementField(counters, "skipped_cooldown", skipped);
            }
            others = 0;
            skipped = 0;
        }
    }

    /** Writes what was counted, some hundreds in one commit. What cannot be written is lost. */
    public void count(Counts counts) {
        while (!counts.isEmpty()) {
            Commit commit = keyspace.commitAtSite();
            counts.addTo(commit);
            commit.run().orThrow();
        }
    }

    /** Writes what rules remember, some hundreds in one commit. */
    public void remember(Map<String, Memory> memories) {
        Iterator<Map.Entry<String, Memory>> left = memories.entrySet().iterator();
        while (left.hasNext()) {
            Commit commit = keyspace.commitAtSite();
            for (int writes = 0; writes < AT_ONCE && left.hasNext(); writes++) {
                Map.Entry<String, Memory> each = left.next();
                remember(commit, each.getKey(), each.getValue());
            }
            commit.run().orThrow();
        }
    }

    // ------------------------------------------------------------------ reading

    /** The newest records of a rule first. */
    public List<ObjectNode> records(String id, int most) {
        List<ObjectNode> records = new ArrayList<>();
        for (String text :
                keyspace.cells()
                        .list(RulesLayouts.EXECUTIONS.at(id), 0, most - 1L)
                        .answer()
                        .or(List.of())) {
            record(text).ifPresent(records::add);
        }
        return records;
    }

    /** How a rule ran last: the second, and success or failed. */
    public record LastRun(String at, String result) {}

    /** Of some rules; those that never ran are left out. */
    public Map<String, LastRun> lastRuns(List<String> ids) {
        List<String> names = new ArrayList<>();
        for (String id : ids) {
            names.add("last_execution:" + id);
            names.add("last_result:" + id);
        }
        Map<String, LastRun> found = new HashMap<>();
        if (!names.isEmpty()) {
            Map<String, String> fields =
                    keyspace.cells()
                            .fields(RulesLayouts.STATISTICS.at(), names)
                            .answer()
                            .or(Map.of());
            for (String id : ids) {
                String at = fields.get("last_execution:" + id);
                if (at != null) {
                    found.put(id, new LastRun(at, fields.getOrDefault("last_result:" + id, "")));
                }
            }
        }
        return found;
    }

    /** Empty if somebody has pushed something else. */
    private static Optional<ObjectNode> record(String text) {
        try {
            return Json.MAPPER.readTree(text) instanceof ObjectNode record
                    ? Optional.of(record)
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /**
     * Some records.
     *
     * @param all whether everything was looked at that could be wanted
     */
    public record Found(List<ObjectNode> records, boolean all) {}

    /**
     * Looks through the records of some rules, all of them at once and a step of each at a time.
     *
     * @param ids of rules; of more than a few hundred the first ones
     * @param since no older records are looked for
     * @param mentioned a text that those that are wanted have in their JSON
     */
    public Found search(
            Collection<String> ids, Instant since, String mentioned, Predicate<ObjectNode> wanted) {
        List<ObjectNode> found = new ArrayList<>();
        List<String> open = ids.stream().limit(MOST_SEARCHED).toList();
        boolean all = open.size() == ids.size();
        for (int from = 0; !open.isEmpty() && from < MOST_RECORDS; from += STEP) {
            Cells cells = keyspace.cells();
            Map<String, Cells.Question<List<String>>> asked = new LinkedHashMap<>();
            for (String each : open) {
                asked.put(
                        each, cells.list(RulesLayouts.EXECUTIONS.at(each), from, from + STEP - 1L));
            }
            List<String> further = new ArrayList<>();
            asked.forEach(
                    (id, question) -> {
                        List<String> texts = question.answer().or(List.of());
                        texts.stream()
                                .filter(each -> each.contains(mentioned))
                                .flatMap(each -> record(each).stream())
                                .filter(wanted)
                                .forEach(found::add);
                        if (texts.size() == STEP && !isBefore(texts.getLast(), since)) {
                            further.add(id);
                        }
                    });
            open = further;
        }
        return new Found(found, all);
    }

    /** What was taken up after a crash stands later in the list than its time says. */
    private static boolean isBefore(String text, Instant since) {
        return record(text)
                .filter(each -> !each.path("resumed").asBoolean(false))
                .filter(each -> at(each).isBefore(since))
                .isPresent();
    }

    /** When it was; the beginning of time if it does not say. */
    public static Instant at(ObjectNode record) {
        try {
            return Instant.parse(record.path("timestamp").asString(""));
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }

    /** Rules that have run and been recorded since then, in the order of their ids. */
    public List<String> ranSince(Instant since) {
        List<String> ids = new ArrayList<>();
        counters()
                .forEach(
                        (name, value) -> {
                            if (name.startsWith(LAST) && second(value) >= since.getEpochSecond()) {
                                ids.add(name.substring(LAST.length()));
                            }
                        });
        ids.removeIf(each -> !Rule.isId(each));
        ids.sort(null);
        return ids;
    }

    private static long second(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    public Map<String, String> counters() {
        return keyspace.cells().hash(RulesLayouts.STATISTICS.at()).answer().or(Map.of());
    }
}
