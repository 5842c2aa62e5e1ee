package dev.millrace.keyspace.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.pattern.KeyPattern;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What a {@link Layout} means for one entity: its key and id, its owner, its index entries, its
 * value in Redis, and all of that backwards. The engine's side of a layout; programs declare, and
 * need none of this. Keys are without a shard's prefix. Immutable and thread-safe as soon as the
 * layout is registered.
 */
public final class Mapping<E> {
    private final Layout<E> layout;
    private final KeyPattern pattern;
    private final Codec<E> codec;
    private final String head;
    private final String tail;

    Mapping(Layout<E> layout) {
        this.layout = layout;
        this.pattern = layout.pattern();
        this.codec = layout.codec();
        this.head = pattern.head();
        this.tail = pattern.tail();
    }

    // ---------------------------------------------------------------- what was declared

    public Codec<E> codec() {
        return codec;
    }

    public Owner owner() {
        Owner owner = layout.declaredOwner();
        if (owner == null) {
            throw new IllegalStateException("The layout " + layout.name() + " is not registered.");
        }
        return owner;
    }

    /**
     * The pattern of the index that tells which kind a key is of, where several share a pattern.
     */
    public Optional<String> kind() {
        return layout.kind();
    }

    public Optional<Duration> timeToLive() {
        return layout.timeToLive();
    }

    /** Whether others write these keys too. */
    public boolean isForeign() {
        return layout.isForeign();
    }

    /** Whether a value without entries is one of this layout all the same. */
    public boolean adopts(E entity) {
        return layout.isRest() && layout.adoption().test(entity);
    }

    /** Whether all entries follow from the variables of the value's own key. */
    public boolean indexedByKeyAlone() {
        return layout.indexedByKeyAlone();
    }

    /** The fields that a commit compares before it replaces or deletes a hash. */
    public Set<String> comparedFields(Codec.Fields<E> fields) {
        Set<String> indexed = layout.indexedFields();
        return indexed.isEmpty() ? fields.names() : indexed;
    }

    /** Of a hash: the declared fields that no index is made from, nor the owner. */
    public Set<String> plainFields() {
        if (!(codec instanceof Codec.Fields<E> fields)) {
            return Set.of();
        }
        Set<String> plain = new TreeSet<>(fields.names());
        if (owner() instanceof Owner.Variable(String variable)) {
            plain.remove(variable);
        }
        if (!layout.indexedByKeyAlone()) {
            plain.removeAll(comparedFields(fields));
        }
        return plain;
    }

    public Index<E> index(String indexPattern) {
        for (Index<E> index : layout.indexes()) {
            if (index.pattern.text().equals(indexPattern)) {
                return index;
            }
        }
        throw new IllegalArgumentException(
                "The layout " + layout.name() + " has no index " + indexPattern);
    }

    // ---------------------------------------------------------------- one entity

    @Nullable Object variable(E entity, String variable) {
        Function<? super E, ? extends @Nullable Object> binding = layout.bindings().get(variable);
        if (binding == null) {
            throw new IllegalStateException("Nothing is bound to {" + variable + "}");
        }
        return binding.apply(entity);
    }

    /** The key of the entity's value, without a shard's prefix. */
    public String key(E entity) {
        return pattern.key(
                variable -> {
                    List<String> texts = Index.texts(variable(entity, variable));
                    return texts.isEmpty() ? null : texts.getFirst();
                });
    }

    public String keyOf(String id) {
        return head + id + tail;
    }

    public String head() {
        return head;
    }

    public String tail() {
        return tail;
    }

    /** A value as Redis gives it; null if there is none, or none of this layout's type. */
    public @Nullable Raw raw(@Nullable Object reply) {
        if (layout.type() == KeyType.STRING) {
            return reply instanceof byte[] bytes ? new Raw.Text(bytes) : null;
        }
        if (!(reply instanceof List<?> flat) || flat.isEmpty()) {
            return null;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            fields.put(text(flat.get(i)), text(flat.get(i + 1)));
        }
        return new Raw.Fields(fields);
    }

    private static String text(@Nullable Object word) {
        return word == null ? "" : new String((byte[]) word, UTF_8);
    }

    /** Whether an id fits the grammar of the key. */
    boolean accepts(String id) {
        return pattern.matches(keyOf(id));
    }

    /** The part of a value's key that tells one entity from another. */
    public String idOf(String key) {
        return key.substring(head.length(), key.length() - tail.length());
    }

    /** The owner, as far as the key alone says it. */
    public Optional<String> ownerOfKey(String key) {
        return switch (owner()) {
            case Owner.Site() -> Optional.of(Declaration.SITE);
            case Owner.Itself() -> Optional.of(idOf(key));
            case Owner.OfId(String what, UnaryOperator<String> of) ->
                    Optional.of(of.apply(idOf(key)));
            case Owner.Variable(String variable) -> {
                int at = pattern.variables().indexOf(variable);
                yield at < 0 ? Optional.empty() : pattern.values(key).map(all -> all.get(at));
            }
        };
    }

    /** Whether the owner can be told without reading the value. */
    public boolean ownerInKey() {
        return !(owner() instanceof Owner.Variable(String variable))
                || pattern.variables().contains(variable);
    }

    public String ownerOf(E entity) {
        return switch (owner()) {
            case Owner.Site() -> Declaration.SITE;
            case Owner.Itself() -> idOf(key(entity));
            case Owner.OfId(String what, UnaryOperator<String> of) -> of.apply(idOf(key(entity)));
            case Owner.Variable(String variable) -> {
                Object value = variable(entity, variable);
                if (value instanceof String text && !text.isEmpty()) {
                    yield text;
                }
                List<String> texts = Index.texts(value);
                if (texts.size() != 1) {
                    throw new UnfitException(
                            "%s needs a %s, because it lives with it."
                                    .formatted(layout.name(), variable));
                }
                yield texts.getFirst();
            }
        };
    }

    /** Every index entry that this entity must have, and no other. */
    public List<Entry> entries(E entity) {
        return entries(entity, idOf(key(entity)));
    }

    /** The same where the id is known already. */
    public List<Entry> entries(E entity, String id) {
        List<Entry> entries = new ArrayList<>(layout.indexes().size());
        for (Index<E> index : layout.indexes()) {
            index.entries(this, entity, id, entries::add);
        }
        return entries;
    }

    /** Whether one of them is in this index, at this key and with this score. */
    public boolean enters(E entity, Index<E> index, String key, double score) {
        return index.enters(this, entity, key, score);
    }

    /**
     * Every index entry that this entity has or may have: those, and what is tolerated of others.
     */
    public List<Entry> traces(E entity) {
        String id = idOf(key(entity));
        List<Entry> traces = entries(entity, id);
        for (Index<E> index : layout.indexes()) {
            index.toleratedEntries(this, entity, id, traces::add);
        }
        return traces;
    }

    /** The value of a new entity, as it is stored. */
    public Raw encode(E entity) {
        return encode(entity, null);
    }

    public Raw encode(E entity, @Nullable Raw before) {
        return switch (codec) {
            case Codec.Text<E> text ->
                    new Raw.Text(
                            text.encode(
                                    entity,
                                    before instanceof Raw.Text(byte[] bytes) ? bytes : null));
            case Codec.Fields<E> fields -> {
                Map<String, String> values = fields.encode(entity);
                if (values.isEmpty()) {
                    // Redis keeps no empty hash: the entries would lead to nothing.
                    throw new IllegalArgumentException(
                            "%s %s has no field to store".formatted(layout.name(), key(entity)));
                }
                yield new Raw.Fields(values);
            }
        };
    }

    /**
     * The entity that a value stands for. One that says it is another than its key says, or that
     * names no owner, is none: written back or deleted, it would take the entries of others along.
     *
     * @throws UndecodableException if the value is not one of this layout
     */
    public E decode(String key, Raw raw) {
        try {
            E entity =
                    switch (codec) {
                        case Codec.Text<E> text when raw instanceof Raw.Text(byte[] bytes) ->
                                text.decode(key, bytes);
                        case Codec.Fields<E> fields when raw instanceof Raw.Fields(var values) ->
                                fields.decode(withKey(key, values));
                        default -> throw new IllegalArgumentException("it has another type");
                    };
            if (!tells(entity, key)) {
                throw new IllegalArgumentException("it says that it is " + key(entity));
            }
            if (owner() instanceof Owner.Variable) {
                ownerOf(entity);
            }
            return entity;
        } catch (RuntimeException e) {
            throw new UndecodableException(key, e);
        }
    }

    /** Whether the entity says that it is the one with this key. */
    private boolean tells(E entity, String key) {
        List<String> variables = pattern.variables();
        Object only = variables.size() == 1 ? variable(entity, variables.getFirst()) : null;
        return only instanceof String text ? pattern.isKey(key, text) : key(entity).equals(key);
    }

    /** The fields of a hash and what its key says. */
    private Map<String, String> withKey(String key, Map<String, String> fields) {
        if (pattern.literal() || !pattern.parseable()) {
            return fields;
        }
        Map<String, String> all = new HashMap<>(fields);
        List<String> values = pattern.values(key).orElse(List.of());
        for (int i = 0; i < values.size(); i++) {
            all.put(pattern.variables().get(i), values.get(i));
        }
        return all;
    }
}
