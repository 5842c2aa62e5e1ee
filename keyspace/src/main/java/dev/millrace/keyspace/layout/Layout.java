package dev.millrace.keyspace.layout;

import dev.millrace.keyspace.pattern.Grammars;
import dev.millrace.keyspace.pattern.KeyPattern;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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
 * {@link Catalogue}; from then on it is immutable and thread-safe. What it means for one entity is
 * asked of its {@link #mapping}.
 *
 * <p>A value has a time to live or indexes, never both: it would expire and its entries would stay.
 */
public final class Layout<E> implements Declaration {
    private final KeyPattern pattern;
    private final Grammars grammars;
    private final Codec<E> codec;
    private final Map<String, Function<? super E, ? extends @Nullable Object>> bindings;
    private final List<Index<E>> indexes = new ArrayList<>();
    private final List<String> losesTo = new ArrayList<>();
    private final Set<String> indexedFields = new LinkedHashSet<>();
    private final Mapping<E> mapping;
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
        this.codec = codec;
        this.name = type.getSimpleName();
        this.bindings = RecordAccess.of(type);
        this.mapping = new Mapping<>(this);
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
     * score. Such an entry is not drift while its value exists, and goes when that is replaced or
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

    Codec<E> codec() {
        return codec;
    }

    @Nullable Owner declaredOwner() {
        return owner;
    }

    Optional<String> kind() {
        return Optional.ofNullable(kind);
    }

    Optional<Duration> timeToLive() {
        return Optional.ofNullable(timeToLive);
    }

    boolean isRest() {
        return rest;
    }

    boolean isForeign() {
        return foreign;
    }

    boolean indexedByKeyAlone() {
        return indexedByKeyAlone;
    }

    Predicate<? super E> adoption() {
        return adoption;
    }

    /** For a hash: the fields that any index is made from, if the declaration names them. */
    Set<String> indexedFields() {
        return indexedFields;
    }

    Map<String, Function<? super E, ? extends @Nullable Object>> bindings() {
        return bindings;
    }

    boolean binds(String variable) {
        return bindings.containsKey(variable);
    }

    // ---------------------------------------------------------------- one entity

    /** Every index entry that this entity must have, and no other. */
    public List<Entry> entries(E entity) {
        return mapping.entries(entity);
    }

    /** The value of a new entity, as it is stored. */
    public Raw encode(E entity) {
        return mapping.encode(entity);
    }

    /** What the engine asks: how an entity becomes keys, entries and a value, and back. */
    public Mapping<E> mapping() {
        return mapping;
    }

    @Override
    public String toString() {
        return name + " " + pattern;
    }
}
