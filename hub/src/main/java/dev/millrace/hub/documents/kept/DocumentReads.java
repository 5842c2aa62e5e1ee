package dev.millrace.hub.documents.kept;

import static dev.millrace.hub.documents.kept.DocumentsLayouts.DOCUMENTS;
import static dev.millrace.hub.documents.kept.DocumentsLayouts.topLevelNamespace;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.store.ByteStore;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Finds documents by key and by filter. What others keep in the same Redis is not seen: a key
 * counts if the index of documents has it. A filter becomes a range of that index, as far as it is
 * plain text, and is applied to what the range gives. What is not a JSON object, because somebody
 * has damaged it, is left out and counted. Thread-safe.
 */
public final class DocumentReads {
    private final ByteStore bytes;
    private final Soundness soundness = new Soundness();
    private final Counter damaged;

    public DocumentReads(Keyspace keyspace, MeterRegistry figures) {
        this.bytes = keyspace.bytes(DOCUMENTS);
        this.damaged =
                Counter.builder("millrace.documents.damaged")
                        .description(
                                "Values under the key of a document that are no JSON object, each"
                                        + " time one was left out.")
                        .register(figures);
    }

    /** One document; does not wait. */
    public CompletableFuture<Optional<Document>> get(String key) {
        return bytes.send(key).thenApply(json -> sound(key, json));
    }

    /** Those that there are, in the order of the keys, as often as they are asked for. */
    public List<Document> getAll(List<String> keys) {
        List<Document> found = new ArrayList<>(keys.size());
        List<byte @Nullable []> values = bytes.getMany(keys);
        for (int i = 0; i < keys.size(); i++) {
            sound(keys.get(i), values.get(i)).ifPresent(found::add);
        }
        return found;
    }

    /** Those of the keys that lead to a document, damaged or not. */
    List<String> existing(List<String> keys) {
        List<String> there = new ArrayList<>();
        List<byte @Nullable []> values = bytes.getMany(keys);
        for (int i = 0; i < keys.size(); i++) {
            if (values.get(i) != null) {
                there.add(keys.get(i));
            }
        }
        return there;
    }

    private Optional<Document> sound(String key, byte @Nullable [] json) {
        if (json == null || json.length == 0) {
            return Optional.empty();
        }
        if (!soundness.isSound(json, Revision.of(json))) {
            damaged.increment();
            return Optional.empty();
        }
        return Optional.of(new Document(key, json));
    }

    /** Those that a filter matches, in the order of their keys. */
    public List<Document> matching(Glob glob, Predicate<String> visible) {
        if (!glob.isPlainPrefix()) {
            return getAll(keysMatching(glob, visible));
        }
        List<Document> found = new ArrayList<>();
        each(
                ownerOf(glob.prefix()),
                glob.prefix(),
                document -> {
                    if (visible.test(document.key())) {
                        found.add(document);
                    }
                });
        found.sort((one, other) -> ByteStore.compare(one.key(), other.key()));
        return found;
    }

    /** Only the keys, in their order. */
    public List<String> keysMatching(Glob glob, Predicate<String> visible) {
        List<String> keys = new ArrayList<>();
        bytes.range(
                ownerOf(glob.prefix()),
                glob.prefix(),
                false,
                item -> {
                    if (glob.matches(item.id()) && visible.test(item.id())) {
                        keys.add(item.id());
                    }
                });
        keys.sort(ByteStore::compare);
        return keys;
    }

    /** Hands over all documents that begin with this, however many. */
    public void each(Optional<String> owner, String prefix, Consumer<Document> target) {
        bytes.range(owner, prefix, true, item -> sound(item.id(), item.value()).ifPresent(target));
    }

    /** Where all that begins with this lives; empty if that may be anywhere. */
    public static Optional<String> ownerOf(String prefix) {
        return prefix.indexOf(':') < 0 ? Optional.empty() : Optional.of(topLevelNamespace(prefix));
    }

    /** Those of the keys under which something else lies. */
    public List<String> takenByOthers(List<String> keys) {
        return bytes.takenByOthers(keys);
    }
}
