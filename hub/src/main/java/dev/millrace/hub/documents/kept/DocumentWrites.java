package dev.millrace.hub.documents.kept;

import static dev.millrace.hub.documents.kept.DocumentsLayouts.DOCUMENTS;
import static dev.millrace.hub.documents.kept.DocumentsLayouts.topLevelNamespace;
import static dev.millrace.hub.documents.kept.DocumentsLayouts.versionsOf;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.ByteStore;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Documents go in and out with their announcement: value, index entry, the version before and one
 * fact for each top-level namespace are one commit, so the order of the facts is the order of the
 * writes, and nothing is announced that did not happen.
 *
 * <p>What lives together is written together: on one server everything, in a cluster what its shard
 * holds. More than one commit takes is written in steps, in the order of the keys. Thread-safe.
 */
public final class DocumentWrites {
    /** A week, so that a client that slept over the weekend can go on. */
    public static final Topic TOPIC =
            Topic.named("documents").keeping(Duration.ofDays(7), 32L << 20, 128L << 20);

    /** Four writes and up to two checks each; the engine takes 4096 and 3072. */
    private static final int STEP = 900;

    /** Each document goes along twice, as value and in the fact; the engine takes 4 MiB. */
    private static final int STEP_BYTES = 1900 << 10;

    /** Beside its text: the keys it is written under, and what is said about it. */
    private static final int KEYS_OF_ONE = 6;

    private static final int ATTEMPTS = 16;

    /**
     * How much of what a document was before is kept.
     *
     * @param most of one document; 0 keeps none
     * @param bytes of all versions of one document together
     * @param afterDelete how long they outlive the document
     */
    public record Versions(int most, long bytes, Duration afterDelete) {}

    private final Keyspace keyspace;
    private final Versions versions;
    private final DocumentReads reads;
    private final InstantSource clock;

    public DocumentWrites(
            Keyspace keyspace, Versions versions, DocumentReads reads, InstantSource clock) {
        this.keyspace = keyspace;
        this.versions = versions;
        this.reads = reads;
        this.clock = clock;
    }

    /** Stores and announces one document; does not wait. The value is the place of its fact. */
    public CompletableFuture<Outcome<Long>> set(Document document) {
        try {
            Commit commit = keyspace.commit(document.topLevelNamespace());
            return put(commit, document)
                    .with(
                            keyspace.feed(TOPIC)
                                    .fact(
                                            Facts.changed(
                                                    document.topLevelNamespace(),
                                                    List.of(document))))
                    .send();
        } catch (BadKeyException e) {
            return CompletableFuture.completedFuture(
                    Outcome.notDone(Reason.REFUSED, String.valueOf(e.getMessage())));
        }
    }

    private Commit put(Commit commit, Document document) {
        return keep(commit, document.key()).put(DOCUMENTS, document);
    }

    /** The version that is there now is kept, before it is replaced or removed. */
    public Commit keep(Commit commit, String key) {
        return versions.most() == 0
                ? commit
                : commit.keepBefore(
                        versionsOf(key),
                        DOCUMENTS,
                        key,
                        "{\"until\":" + clock.millis() + ",\"value\":",
                        "}",
                        versions.most(),
                        versions.bytes());
    }

    // ---------------------------------------------------------------- several

    /** Documents that live together; several may have the same key, and then the last counts. */
    private record Step(List<Document> documents) {
        String owner() {
            return documents.getFirst().topLevelNamespace();
        }

        Collection<Document> lastOfEachKey() {
            Map<String, Document> last = new LinkedHashMap<>();
            documents.forEach(each -> last.put(each.key(), each));
            return last.values();
        }

        Map<String, List<Document>> byNamespace() {
            Map<String, List<Document>> namespaces = new LinkedHashMap<>();
            for (Document each : documents) {
                namespaces
                        .computeIfAbsent(each.topLevelNamespace(), name -> new ArrayList<>())
                        .add(each);
            }
            return namespaces;
        }
    }

    /** Whether all of it is one commit, so that readers see all or nothing. */
    public boolean isOneStep(List<Document> documents) {
        return isSmall(documents) || steps(documents).size() <= 1;
    }

    /**
     * Stores and announces documents.
     *
     * @return the place of the last fact; of several steps the first that was not done
     */
    public Outcome<Long> setAll(List<Document> documents) {
        Outcome<Long> last = Outcome.done(0L);
        int stored = 0;
        for (Step step : steps(documents)) {
            Outcome<Long> outcome = store(step);
            if (!outcome.isStored()) {
                return stored == 0 ? outcome : partly(outcome, stored, documents.size());
            }
            last = outcome.after(last);
            stored += step.documents.size();
        }
        return last;
    }

    private static Outcome<Long> partly(Outcome<Long> outcome, int stored, int all) {
        String rest = " %d of %d documents were stored before.".formatted(stored, all);
        return switch (outcome) {
            case Outcome.NotDone<Long>(Reason reason, String detail) ->
                    Outcome.notDone(reason, detail + rest);
            case Outcome.Unknown<Long>(String detail) -> new Outcome.Unknown<>(detail + rest);
            case Outcome.Done<Long> done -> done;
            case Outcome.Unconfirmed<Long> unconfirmed -> unconfirmed;
        };
    }

    private Outcome<Long> store(Step step) {
        try {
            Commit commit = keyspace.commit(step.owner()).acrossOwners();
            step.lastOfEachKey().forEach(each -> put(commit, each));
            step.byNamespace()
                    .forEach(
                            (name, some) ->
                                    commit.with(
                                            keyspace.feed(TOPIC).fact(Facts.changed(name, some))));
            return commit.run();
        } catch (BadKeyException e) {
            return Outcome.notDone(Reason.REFUSED, String.valueOf(e.getMessage()));
        }
    }

    /** In the order of the keys; those with one key stay in the order they came in. */
    private List<Step> steps(List<Document> documents) {
        List<Document> sorted = new ArrayList<>(documents);
        sorted.sort((one, other) -> ByteStore.compare(one.key(), other.key()));
        Map<Integer, List<Document>> places = new LinkedHashMap<>();
        for (Document each : sorted) {
            places.computeIfAbsent(place(each.key()), place -> new ArrayList<>()).add(each);
        }
        List<Step> steps = new ArrayList<>();
        for (List<Document> together : places.values()) {
            int from = 0;
            long bytes = 0;
            for (int i = 0; i < together.size(); i++) {
                Document each = together.get(i);
                long more = size(each);
                if (i > from && (i - from == STEP || bytes + more > STEP_BYTES)) {
                    steps.add(new Step(together.subList(from, i)));
                    from = i;
                    bytes = 0;
                }
                bytes += more;
            }
            steps.add(new Step(together.subList(from, together.size())));
        }
        return steps;
    }

    /** One step without a look at the order of the keys. */
    private boolean isSmall(List<Document> documents) {
        return !keyspace.redis().cluster()
                && documents.size() <= STEP
                && documents.stream().mapToLong(DocumentWrites::size).sum() <= STEP_BYTES;
    }

    private static long size(Document each) {
        return each.json().length + (long) KEYS_OF_ONE * each.key().length();
    }

    private int place(String key) {
        return keyspace.redis().cluster() ? Shards.shard(topLevelNamespace(key)) : 0;
    }

    // ---------------------------------------------------------------- removing

    /**
     * Removes those that there are, and announces it where something was removed: there with all
     * keys that were asked for, elsewhere not at all.
     *
     * @return how many there were
     */
    public Outcome<Long> delete(Collection<String> asked) {
        Map<Integer, List<String>> places = new LinkedHashMap<>();
        asked.stream()
                .distinct()
                .sorted(ByteStore::compare)
                .forEach(
                        key ->
                                places.computeIfAbsent(place(key), place -> new ArrayList<>())
                                        .add(key));
        Outcome<Long> last = Outcome.done(0L);
        for (List<String> together : places.values()) {
            for (int from = 0; from < together.size(); from += STEP) {
                Outcome<Long> outcome =
                        remove(together.subList(from, Math.min(from + STEP, together.size())));
                if (!outcome.isStored()) {
                    return outcome;
                }
                last = sum(last, outcome);
            }
        }
        return last;
    }

    private static Outcome<Long> sum(Outcome<Long> before, Outcome<Long> more) {
        return switch (before) {
            case Outcome.Done<Long>(Long count) -> more.map(one -> count + one);
            case Outcome.Unconfirmed<Long>(Long count, String why) ->
                    more.map(one -> count + one).after(before);
            case Outcome.NotDone<Long> not -> not;
            case Outcome.Unknown<Long> unknown -> unknown;
        };
    }

    private Outcome<Long> remove(List<String> asked) {
        Outcome<Long> last = Outcome.done(0L);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<String> there = reads.existing(asked);
            if (there.isEmpty()) {
                return Outcome.done(0L);
            }
            last = removal(asked, there).run();
            if (!last.failedBy(Reason.ABSENT)) {
                return last.map(place -> (long) there.size());
            }
        }
        return last;
    }

    private Commit removal(List<String> asked, List<String> there) {
        Commit commit = keyspace.commit(topLevelNamespace(there.getFirst())).acrossOwners();
        Map<String, List<String>> announced = new TreeMap<>(ByteStore::compare);
        for (String key : there) {
            keep(commit, key).remove(DOCUMENTS, Document.named(key));
            if (versions.most() > 0) {
                commit.expire(versionsOf(key), versions.afterDelete());
            }
            announced.put(topLevelNamespace(key), new ArrayList<>());
        }
        for (String key : asked) {
            announced.getOrDefault(topLevelNamespace(key), new ArrayList<>()).add(key);
        }
        announced.forEach(
                (name, keys) ->
                        commit.with(keyspace.feed(TOPIC).factOfRemoval(Facts.deleted(name, keys))));
        return commit;
    }
}
