package dev.millrace.hub.rules.kept;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.rules.logic.Memory;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Feed;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** What came of running rules: records, counters and what rules remember. Thread-safe. */
public final class RunLog {
    private static final int AT_ONCE = 500;
    private static final int MOST_RECORDS = 1000;
    private static final Duration KEPT = Duration.ofDays(7);

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
        private long skipped;

        public synchronized void looked(String id) {
            executions.merge(id, 1L, Long::sum);
        }

        public synchronized void skipped() {
            skipped++;
        }

        private synchronized boolean isEmpty() {
            return executions.isEmpty() && skipped == 0;
        }

        /** Some of them; the rest is for the next commit. */
        private synchronized void addTo(Commit commit) {
            var counters = RulesLayouts.STATISTICS.at();
            long total = 0;
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
            skipped = 0;
        }
    }

    /** Writes what was counted and what rules remember, some hundreds in one commit. */
    public void flush(Counts counts, Map<String, Memory> memories) {
        Iterator<Map.Entry<String, Memory>> left = memories.entrySet().iterator();
        while (!counts.isEmpty() || left.hasNext()) {
            Commit commit = keyspace.commitAtSite();
            counts.addTo(commit);
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
            try {
                if (Json.MAPPER.readTree(text) instanceof ObjectNode record) {
                    records.add(record);
                }
            } catch (JacksonException e) {
                // Somebody has pushed something else; it is not a record.
            }
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

    public Map<String, String> counters() {
        return keyspace.cells().hash(RulesLayouts.STATISTICS.at()).answer().or(Map.of());
    }
}
