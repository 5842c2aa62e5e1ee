package dev.millrace.hub.rules.kept;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.rules.logic.Memory;
import dev.millrace.hub.rules.logic.Rule;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Rules as they are stored. A rule, its place in the index and whether it is enabled change in one
 * commit, and so do what its JSON and {@code rule:status} say about that. Thread-safe.
 */
public final class RuleBook {
    /** That rules have changed, or have run because somebody asked for it. */
    public static final Topic TOPIC =
            Topic.named("rules").keeping(Duration.ofDays(1), 4L << 20, 8L << 20);

    private static final Logger log = LoggerFactory.getLogger(RuleBook.class);

    static final List<String> OF_EACH =
            List.of("executions", "triggered", "failed", "last_execution", "last_result");
    private static final String ENABLED = "enabled";
    private static final String DISABLED = "disabled";
    private static final int ATTEMPTS = 32;
    private static final int PAGE = 500;

    private final Keyspace keyspace;
    private final Store<RuleDocument> rules;
    private final Feed feed;

    public RuleBook(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.rules = keyspace.store(RulesLayouts.RULES);
        this.feed = keyspace.feed(TOPIC);
    }

    /** A stored rule, and whether it runs. */
    public record Entry(RuleDocument rule, boolean enabled) {}

    /** What became of a change. */
    public enum Changed {
        DONE,
        ABSENT,
        EXISTS
    }

    // ------------------------------------------------------------------ reading

    public Optional<Entry> get(String id) {
        if (!Rule.isId(id)) {
            return Optional.empty();
        }
        var status = keyspace.cells().fields(RulesLayouts.STATUS.at(), List.of(id));
        return rules.get(id)
                .map(Stored::value)
                .map(each -> new Entry(each, enabled(each, status.answer().or(Map.of()))));
    }

    /** All of them, by their ids. */
    public List<Entry> all() {
        Map<String, String> statuses =
                keyspace.cells().hash(RulesLayouts.STATUS.at()).answer().or(Map.of());
        Map<String, Entry> all = new TreeMap<>();
        Query<RuleDocument> query = rules.query(RulesLayouts.INDEX).limit(PAGE);
        Page<RuleDocument> page = query.page();
        while (true) {
            for (Stored<RuleDocument> each : page.items()) {
                if (Rule.isId(each.id())) {
                    all.put(each.id(), new Entry(each.value(), enabled(each.value(), statuses)));
                }
            }
            if (page.next().isEmpty()) {
                return List.copyOf(all.values());
            }
            page = query.after(page.next().get()).page();
        }
    }

    /** Those of these rules whose JSON has this text in it. */
    public List<String> mentioning(List<String> ids, String text) {
        List<String> found = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += PAGE) {
            rules.getMany(ids.subList(from, Math.min(ids.size(), from + PAGE))).stream()
                    .filter(each -> each.value().document().toString().contains(text))
                    .forEach(each -> found.add(each.id()));
        }
        return found;
    }

    private static boolean enabled(RuleDocument rule, Map<String, String> statuses) {
        String status = statuses.get(rule.id());
        return status == null ? rule.saysEnabled() : status.equals(ENABLED);
    }

    /** What a rule remembers. */
    public Memory memory(String id) {
        Optional<byte[]> kept = keyspace.value(RulesLayouts.MEMORY.at(id));
        try {
            return kept.map(each -> Memory.of(Json.MAPPER.readTree(each))).orElseGet(Memory::empty);
        } catch (JacksonException e) {
            return Memory.empty();
        }
    }

    // ------------------------------------------------------------------ changing

    /**
     * Stores a new rule.
     *
     * @param document with its own {@code enabled}
     */
    public Changed create(String id, ObjectNode document) {
        boolean enabled = document.path(RuleDocument.ENABLED).asBoolean(true);
        Commit commit =
                keyspace.commitAtSite()
                        .create(RulesLayouts.RULES, new RuleDocument(id, document))
                        .setFields(RulesLayouts.STATUS.at(), Map.of(id, word(enabled)))
                        .delete(RulesLayouts.MEMORY.at(id));
        Outcome<Long> outcome = commit.with(feed.fact(fact("saved", id))).run();
        if (outcome.failedBy(Reason.DUPLICATE)) {
            return Changed.EXISTS;
        }
        outcome.orThrow();
        return Changed.DONE;
    }

    /** Changes a rule; whether it is enabled is said to it, and it may say something else. */
    public Changed change(String id, UnaryOperator<Entry> change) {
        Outcome<Long> last = Outcome.notDone(Reason.CONFLICT, id + " is being changed by others.");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Stored<RuleDocument>> before = rules.get(id);
            if (before.isEmpty()) {
                return Changed.ABSENT;
            }
            Map<String, String> statuses =
                    keyspace.cells()
                            .fields(RulesLayouts.STATUS.at(), List.of(id))
                            .answer()
                            .or(Map.of());
            Entry was = new Entry(before.get().value(), enabled(before.get().value(), statuses));
            Entry next = change.apply(was);
            ObjectNode document = next.rule().document().deepCopy();
            document.put(RuleDocument.ENABLED, next.enabled());
            Commit commit =
                    keyspace.commitAtSite()
                            .replace(
                                    RulesLayouts.RULES,
                                    before.get(),
                                    new RuleDocument(id, document))
                            .setFields(RulesLayouts.STATUS.at(), Map.of(id, word(next.enabled())));
            String status = statuses.get(id);
            if (status == null) {
                commit.fieldAbsent(RulesLayouts.STATUS.at(), id);
            } else {
                commit.fieldEquals(RulesLayouts.STATUS.at(), id, status);
            }
            last = commit.with(feed.fact(fact("saved", id))).run();
            if (!last.failedBy(Reason.CONFLICT) && !last.failedBy(Reason.ABSENT)) {
                last.orThrow();
                return Changed.DONE;
            }
        }
        last.orThrow();
        throw new RedisException(Reason.CONFLICT, id + " is being changed by others.");
    }

    /** Where somebody else has written one of both, the JSON of a rule follows its status. */
    public void agree(List<Entry> entries) {
        for (Entry each : entries) {
            if (each.enabled() != each.rule().saysEnabled()) {
                try {
                    change(each.rule().id(), was -> was);
                } catch (RedisException e) {
                    // Somebody is still at it; the next look finds it again.
                    log.debug("A rule and its status differ. rule={}", each.rule().id());
                }
            }
        }
    }

    private static String word(boolean enabled) {
        return enabled ? ENABLED : DISABLED;
    }

    /** Removes a rule with all that is known of its runs. */
    public Changed delete(String id) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Stored<RuleDocument>> before = rules.get(id);
            if (before.isEmpty()) {
                return Changed.ABSENT;
            }
            List<String> fields = new ArrayList<>();
            OF_EACH.forEach(each -> fields.add(each + ":" + id));
            Outcome<Long> outcome =
                    keyspace.commitAtSite()
                            .delete(RulesLayouts.RULES, before.get())
                            .removeField(RulesLayouts.STATUS.at(), id)
                            .delete(RulesLayouts.EXECUTIONS.at(id))
                            .delete(RulesLayouts.MEMORY.at(id))
                            .removeFields(RulesLayouts.STATISTICS.at(), fields)
                            .with(feed.factOfRemoval(fact("deleted", id)))
                            .run();
            if (!outcome.failedBy(Reason.CONFLICT) && !outcome.failedBy(Reason.ABSENT)) {
                outcome.orThrow();
                return Changed.DONE;
            }
        }
        throw new RedisException(Reason.CONFLICT, id + " is being changed by others.");
    }

    static byte[] fact(String what, String id) {
        return "{\"type\":\"%s\",\"rule_id\":\"%s\"}".formatted(what, id).getBytes(UTF_8);
    }
}
