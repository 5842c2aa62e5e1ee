package dev.millrace.hub.documents;

import static dev.millrace.hub.documents.kept.DocumentsLayouts.DOCUMENTS;

import dev.millrace.hub.documents.Mistakes.Place;
import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.documents.kept.DocumentReads;
import dev.millrace.hub.documents.kept.DocumentWrites;
import dev.millrace.hub.documents.kept.Facts;
import dev.millrace.hub.documents.kept.Revision;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Decides what may be written. A document can be called like a key of another room, however that is
 * split into namespace and id, or like something that lies there and is none; the commit refuses
 * it, and here all offenders of a request are named. Thread-safe.
 */
final class DocumentsService {
    private static final int ATTEMPTS = 16;

    private final Keyspace keyspace;
    private final DocumentsSettings settings;
    private final DocumentReads reads;
    private final DocumentWrites writes;
    private final Store<Document> store;

    DocumentsService(
            Keyspace keyspace,
            DocumentsSettings settings,
            DocumentReads reads,
            DocumentWrites writes) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.reads = reads;
        this.writes = writes;
        this.store = keyspace.store(DOCUMENTS);
    }

    // ---------------------------------------------------------------- last write wins

    /** Stores a document whatever was there; does not wait. The value is the place of its fact. */
    CompletableFuture<Long> set(Document document) {
        mustBeSmall(document);
        return writes.set(document)
                .thenCompose(
                        outcome ->
                                isRefused(outcome)
                                        ? CompletableFuture.supplyAsync(
                                                () ->
                                                        explained(
                                                                outcome,
                                                                List.of(document),
                                                                at -> Place.BODY.in("value")),
                                                Thread::startVirtualThread)
                                        : CompletableFuture.completedFuture(outcome))
                .thenApply(Outcome::orThrow);
    }

    /** Stores documents, all of them or, if one cannot be stored, none. */
    long setAll(List<Document> documents) {
        Function<Integer, Place> place = at -> Place.BODY.in("values").in(at);
        documents.forEach(this::mustBeSmall);
        if (!writes.isOneStep(documents)) {
            // Of several commits the first must not be done if a later one is bound to fail.
            reserved(documents, place).mustBeNone();
        }
        Outcome<Long> outcome = writes.setAll(documents);
        return (isRefused(outcome) ? explained(outcome, documents, place) : outcome).orThrow();
    }

    private void mustBeSmall(Document document) {
        if (document.json().length > settings.maxDocument().count()) {
            throw new RefusedException(
                    new Refused.TooLarge(
                            "The document %s has %d bytes; documents.max-document allows %s."
                                    .formatted(
                                            document.key(),
                                            document.json().length,
                                            settings.maxDocument())));
        }
    }

    private static boolean isRefused(Outcome<Long> outcome) {
        return outcome.failedBy(Reason.REFUSED) || outcome.failedBy(Reason.WRONG_TYPE);
    }

    private Outcome<Long> explained(
            Outcome<Long> outcome, List<Document> documents, Function<Integer, Place> place) {
        reserved(documents, place).mustBeNone();
        return outcome;
    }

    /** The documents whose key is not theirs to take. */
    private Mistakes reserved(List<Document> documents, Function<Integer, Place> place) {
        Mistakes mistakes = new Mistakes();
        // Under what cannot be a key nothing can lie, and Redis is not asked for it.
        List<String> possible =
                documents.stream()
                        .map(Document::key)
                        .filter(key -> keyspace.catalogue().refusal(DOCUMENTS, key).isEmpty())
                        .toList();
        List<String> taken = reads.takenByOthers(possible);
        for (int i = 0; i < documents.size(); i++) {
            String key = documents.get(i).key();
            Optional<String> why = keyspace.catalogue().refusal(DOCUMENTS, key);
            if (why.isEmpty() && taken.contains(key)) {
                why =
                        Optional.of(
                                "There is something else under the key '%s'; choose another id."
                                        .formatted(key));
            }
            if (why.isPresent()) {
                mistakes.add("reserved_key", place.apply(i).in("id"), why.get(), key);
            }
        }
        return mistakes;
    }

    // ---------------------------------------------------------------- conditional

    /** What a writer makes of the document that is there. */
    @FunctionalInterface
    interface Change {
        Document of(Optional<Document> now);
    }

    /** A document that was stored, and the place of its fact. */
    record Written(Document document, long number) {}

    /** Stores a document if the condition holds. */
    Written set(Document document, Condition condition) {
        return change(document.key(), condition, now -> document);
    }

    /** Reads, changes and stores, again and again until nobody came in between. */
    Written change(String key, Condition condition, Change change) {
        Outcome<Long> last =
                Outcome.notDone(Reason.CONFLICT, key + " is being changed; try again.");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Stored<Document>> before = stored(key);
            Optional<Document> now = before.map(Stored::value);
            if (!condition.holds(now)) {
                throw overtaken(key, now);
            }
            Document after = change.of(now);
            mustBeSmall(after);
            last = replace(before, after);
            if (isRefused(last) || (before.isEmpty() && last.failedBy(Reason.DUPLICATE))) {
                reserved(List.of(after), at -> Place.BODY.in("value")).mustBeNone();
            }
            if (!last.failedBy(Reason.CONFLICT)
                    && !last.failedBy(Reason.ABSENT)
                    && !last.failedBy(Reason.DUPLICATE)) {
                return new Written(after, last.orThrow());
            }
        }
        return new Written(Document.named(key), last.orThrow());
    }

    private Optional<Stored<Document>> stored(String key) {
        try {
            return store.get(key);
        } catch (UndecodableException e) {
            throw new RefusedException(
                    new Refused.NotADocument(
                            "What is stored under %s is not a document; replace it by a set without condition."
                                    .formatted(key)));
        }
    }

    private Outcome<Long> replace(Optional<Stored<Document>> before, Document after) {
        try {
            String namespace = after.topLevelNamespace();
            Commit commit = keyspace.commit(namespace);
            if (before.isPresent()) {
                writes.keep(commit, after.key()).replace(DOCUMENTS, before.get(), after);
            } else {
                commit.create(DOCUMENTS, after);
            }
            return commit.with(
                            keyspace.feed(DocumentWrites.TOPIC)
                                    .fact(Facts.changed(namespace, List.of(after))))
                    .run();
        } catch (BadKeyException e) {
            return Outcome.notDone(Reason.REFUSED, String.valueOf(e.getMessage()));
        }
    }

    private static RefusedException overtaken(String key, Optional<Document> now) {
        return new RefusedException(
                new Refused.Overtaken(
                        now.isPresent()
                                ? "%s was changed meanwhile; read it again.".formatted(key)
                                : "There is no document %s.".formatted(key),
                        now.map(each -> Revision.of(each.json()))));
    }
}
