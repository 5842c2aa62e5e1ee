package dev.millrace.keyspace.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.pattern.Grammars;
import dev.millrace.keyspace.pattern.KeyPattern;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * How one kind of thing lives in Redis: its value, its indexes, its owner. It reads like the table
 * in a key reference, and it is the only place where these keys are spelled:
 *
 * {@snippet :
 * static final Layout<Event> EVENTS = Layout.json("{id:id}", Event.class)
 *     .ownedBy("device")
 *     .sorted("event", 0)
 *     .sorted("event:created", Event::created)
 *     .sorted("event:pushed", Event::pushed).when(Event::isPushed)
 *     .sorted("event:device:{device}", Event::created);
 * }
 *
 * <p>A variable of a pattern takes its value from the record component of the same name, or from
 * {@link #bind}. A layout is declared in one expression and frozen when it is registered in a
 * {@link Catalogue}; from then on it is immutable and thread-safe.
 *
 * <p>A value has a time to live or indexes, never both: it would expire and its entries would stay.
 */
public final class Layout<E> implements Declaration {
    private final KeyPattern pattern;
    private final Grammars grammars;
    private final String head;
    private final String tail;
    private final Codec<E> codec;
    private final Map<String, Function<? super E, ? extends @Nullable Object>> bindings;
    private final List<Index<E>> indexes = new ArrayList<>();
    private final List<String> losesTo = new ArrayList<>();
    private final Set<String> indexedFields = new LinkedHashSet<>();
    private String name;
    private String about = "";
    private @Nullable Owner owner;
    private @Nullable String kind;
    private @Nullable Duration timeToLive;
    private boolean rest;
    private boolean foreign;
    private Predicate<? super E> adoption = entity -> false;
    private boolean frozen;
    private boolean indexedByKeyAlone;

    private Layout(KeyPattern pattern, Class<E> type, Codec<E> codec, Grammars grammars) {
        this.pattern = pattern;
        this.grammars = grammars;
        this.head = this.pattern.head();
        this.tail = this.pattern.tail();
        this.codec = codec;
        this.name = type.getSimpleName();
        this.bindings = RecordAccess.of(type);
    }

    /** A JSON string, made from the record's components. */
    public static <E> Layout<E> json(String pattern, Class<E> type) {
        return json(pattern, type, Grammars.standard());
    }

    /** The same with grammars of the program's own, also for the patterns of its indexes. */
    public static <E> Layout<E> json(String pattern, Class<E> type, Grammars grammars) {
        return json(pattern, type, new RecordJson<>(type), grammars);
    }

    /** A string, made by a codec of the caller's own. */
    public static <E> Layout<E> json(String pattern, Class<E> type, Codec.Text<E> codec) {
        return json(pattern, type, codec, Grammars.standard());
    }

    public static <E> Layout<E> json(
            String pattern, Class<E> type, Codec.Text<E> codec, Grammars grammars) {
        return new Layout<>(KeyPattern.of(pattern, grammars), type, codec, grammars);
    }

    /** A hash, a field for each of the record's components that the key does not say already. */
    public static <E> Layout<E> hash(String pattern, Class<E> type) {
        return hash(pattern, type, Grammars.standard());
    }

    /** The same with grammars of the program's own, also for the patterns of its indexes. */
    public static <E> Layout<E> hash(String pattern, Class<E> type, Grammars grammars) {
        KeyPattern key = KeyPattern.of(pattern, grammars);
        Collection<String> inKey = key.parseable() ? key.variables() : List.of();
        return new Layout<>(key, type, new RecordFields<>(type, inKey), grammars);
    }

    /** A hash, made by a codec of the caller's own. */
    public static <E> Layout<E> hash(String pattern, Class<E> type, Codec.Fields<E> codec) {
        return hash(pattern, type, codec, Grammars.standard());
    }

    public static <E> Layout<E> hash(
            String pattern, Class<E> type, Codec.Fields<E> codec, Grammars grammars) {
        return new Layout<>(KeyPattern.of(pattern, grammars), type, codec, grammars);
    }

    // ---------------------------------------------------------------- declaring

    /** What the reference calls it; without this, the record's name. */
    public Layout<E> named(String newName) {
        return change(() -> name = newName);
    }

    public Layout<E> about(String sentence) {
        return change(() -> about = sentence);
    }

    /** It lives with the value of this variable: a component of the record, or a binding. */
    public Layout<E> ownedBy(String variable) {
        return change(() -> owner = new Owner.Variable(variable));
    }

    /**
     * It lives with what its id says, so that the owner need not be looked up to find it.
     *
     * @param what the owner's name in the key reference
     */
    public Layout<E> ownedBy(String what, UnaryOperator<String> ofId) {
        return change(() -> owner = new Owner.OfId(what, ofId));
    }

    /** It lives where its own id points to. */
    public Layout<E> ownedByItself() {
        return change(() -> owner = new Owner.Itself());
    }

    /** It lives in the site's shard, with what is small and belongs together. */
    public Layout<E> ownedBySite() {
        return change(() -> owner = new Owner.Site());
    }

    /** Where a variable takes its value, or its several values, from. */
    public Layout<E> bind(String variable, Function<? super E, ? extends @Nullable Object> value) {
        return change(() -> bindings.put(variable, value));
    }

    /** A sorted set of ids. */
    public Layout<E> sorted(String indexPattern, ScoreOf<E> score) {
        return change(() -> indexes.add(Index.sorted(read(indexPattern), score)));
    }

    /** A sorted set of ids that all have the same score. */
    public Layout<E> sorted(String indexPattern, long score) {
        return change(() -> indexes.add(Index.sorted(read(indexPattern), score)));
    }

    /** A set of ids. */
    public Layout<E> set(String indexPattern) {
        return change(() -> indexes.add(Index.set(read(indexPattern))));
    }

    /** A hash from the value of a variable to the one id that has it. */
    public Layout<E> unique(String indexPattern, String variable) {
        return change(() -> indexes.add(Index.unique(read(indexPattern), variable)));
    }

    /** The index declared last has an entry only when this holds. */
    public Layout<E> when(Predicate<? super E> condition) {
        return change(() -> indexes.getLast().when(condition));
    }

    /**
     * Others enter what does not fulfil the condition of the index declared last too, with this
     * score. Such an entry is no drift while its value exists, and goes when that is replaced or
     * deleted; it is never written here, and queries begin above it.
     */
    public Layout<E> toleratingAt(long score) {
        return change(() -> indexes.getLast().tolerate((double) score));
    }

    /**
     * This layout shares its pattern with others; the index with this pattern, in which every
     * entity of this kind is, says which one a key belongs to.
     */
    public Layout<E> kind(String indexPattern) {
        return change(() -> kind = indexPattern);
    }

    /** Keys that one of these patterns matches are not ours; ids that lead to them are refused. */
    public Layout<E> losesTo(String... patterns) {
        return change(() -> losesTo.addAll(List.of(patterns)));
    }

    /** This layout takes whatever key no other one claims. Needs {@link #kind}. */
    public Layout<E> rest() {
        return change(() -> rest = true);
    }

    /**
     * Of the rest: a value that no index knows, and of which this holds, was written by somebody
     * who does not know our indexes, and a repair enters it.
     */
    public Layout<E> adopting(Predicate<? super E> condition) {
        return change(() -> adoption = condition);
    }

    /** Others may write these keys too: an index entry is a hint, verified and mended when read. */
    public Layout<E> foreign() {
        return change(() -> foreign = true);
    }

    /** For a hash: the fields that any index is made from; without this, all declared fields. */
    public Layout<E> indexedBy(String... fields) {
        return change(() -> indexedFields.addAll(List.of(fields)));
    }

    /** The value expires this long after it was written. Such a layout has no index. */
    public Layout<E> expires(Duration after) {
        return change(() -> timeToLive = after);
    }

    private KeyPattern read(String indexPattern) {
        return KeyPattern.of(indexPattern, grammars);
    }

    private Layout<E> change(Runnable change) {
        if (frozen) {
            throw new IllegalStateException(
                    "The layout " + name + " is registered and cannot be changed any more.");
        }
        change.run();
        return this;
    }

    @Override
    public void freeze() {
        if (!frozen) {
            LayoutRules.check(this);
            indexedByKeyAlone = indexes.stream().allMatch(each -> each.dependsOnKeyAlone(this));
            frozen = true;
        }
    }

    // ---------------------------------------------------------------- what it says

    @Override
    public String name() {
        return name;
    }

    @Override
    public String about() {
        return about;
    }

    @Override
    public List<String> losesTo() {
        return List.copyOf(losesTo);
    }

    public KeyPattern pattern() {
        return pattern;
    }

    @Override
    public List<Spot> spots() {
        List<Spot> spots = new ArrayList<>();
        spots.add(new Spot(this, pattern, type(), Spot.Role.VALUE, "", ""));
        for (Index<E> index : indexes) {
            String member = index.unique == null ? "id" : index.unique + " and id";
            spots.add(
                    new Spot(
                            this,
                            index.pattern,
                            index.type,
                            Spot.Role.INDEX,
                            member,
                            index.scoreWords));
        }
        return spots;
    }

    public KeyType type() {
        return switch (codec) {
            case Codec.Text<E> text -> KeyType.STRING;
            case Codec.Fields<E> fields -> KeyType.HASH;
        };
    }

    List<Index<E>> indexes() {
        return indexes;
    }

    public Codec<E> codec() {
        return codec;
    }

    @Nullable Owner declaredOwner() {
        return owner;
    }

    public Owner owner() {
        if (owner == null) {
            throw new IllegalStateException("The layout " + name + " is not registered.");
        }
        return owner;
    }

    public Optional<String> kind() {
        return Optional.ofNullable(kind);
    }

    public Optional<Duration> timeToLive() {
        return Optional.ofNullable(timeToLive);
    }

    boolean isRest() {
        return rest;
    }

    /** Whether a value without entries is one of this layout all the same. */
    public boolean adopts(E entity) {
        return rest && adoption.test(entity);
    }

    public boolean isForeign() {
        return foreign;
    }

    public boolean indexedByKeyAlone() {
        return indexedByKeyAlone;
    }

    /** The fields that a commit compares before it replaces or deletes a hash. */
    public Set<String> comparedFields(Codec.Fields<E> fields) {
        return indexedFields.isEmpty() ? fields.names() : indexedFields;
    }

    boolean binds(String variable) {
        return bindings.containsKey(variable);
    }

    public Index<E> index(String indexPattern) {
        for (Index<E> index : indexes) {
            if (index.pattern.text().equals(indexPattern)) {
                return index;
            }
        }
        throw new IllegalArgumentException("The layout " + name + " has no index " + indexPattern);
    }

    // ---------------------------------------------------------------- one entity

    @Nullable Object variable(E entity, String variable) {
        Function<? super E, ? extends @Nullable Object> binding = bindings.get(variable);
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
        if (type() == KeyType.STRING) {
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
            case Owner.Site() -> Optional.of(SITE);
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
            case Owner.Site() -> SITE;
            case Owner.Itself() -> idOf(key(entity));
            case Owner.OfId(String what, UnaryOperator<String> of) -> of.apply(idOf(key(entity)));
            case Owner.Variable(String variable) -> {
                List<String> texts = Index.texts(variable(entity, variable));
                if (texts.size() != 1) {
                    throw new UnfitException(
                            "%s needs a %s, because it lives with it.".formatted(name, variable));
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
        List<Entry> entries = new ArrayList<>(indexes.size());
        for (Index<E> index : indexes) {
            index.entries(this, entity, id, entries::add);
        }
        return entries;
    }

    /**
     * Every index entry that this entity has or may have: those, and what is tolerated of others.
     */
    public List<Entry> traces(E entity) {
        String id = idOf(key(entity));
        List<Entry> traces = entries(entity, id);
        for (Index<E> index : indexes) {
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
                            "%s %s has no field to store".formatted(name, key(entity)));
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
            String told = key(entity);
            if (!told.equals(key)) {
                throw new IllegalArgumentException("it says that it is " + told);
            }
            if (owner() instanceof Owner.Variable) {
                ownerOf(entity);
            }
            return entity;
        } catch (RuntimeException e) {
            throw new UndecodableException(key, e);
        }
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

    @Override
    public String toString() {
        return name + " " + pattern;
    }
}
