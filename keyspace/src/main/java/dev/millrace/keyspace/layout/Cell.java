package dev.millrace.keyspace.layout;

import dev.millrace.keyspace.pattern.Grammars;
import dev.millrace.keyspace.pattern.KeyPattern;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A key that stands by itself: a counter, a queue, a free hash of points, a set that no layout
 * maintains. It has a pattern, a type and an owner, and takes part in the catalogue and in commits
 * like everything else; what is in it is its room's business.
 */
public final class Cell implements Declaration {
    private final KeyPattern pattern;
    private final KeyType type;
    private final Owner owner;
    private final String name;
    private final String about;
    private final List<String> losesTo;
    private final @Nullable Duration timeToLive;
    private final Lodging lodging;
    private final @Nullable Layout<?> listed;
    private final boolean bookkeeping;
    private final @Nullable Entered entered;

    /** How to find out with whom a key, or a part of it, lives that does not name its owner. */
    public sealed interface Lodging {
        /** Nothing is known that could be asked. */
        record Unknown() implements Lodging {}

        /** Each member or field says whose it is. */
        record WithElement(UnaryOperator<String> owner) implements Lodging {}

        /** Where the entity lives whose id is the value of this variable. */
        record Beside(Layout<?> layout, String variable) implements Lodging {}
    }

    /**
     * That each key is known to a set, which lives in the same shard.
     *
     * @param variable of the key, whose value is the member
     */
    public record Entered(Cell set, String variable) {}

    private Cell(
            KeyPattern pattern,
            KeyType type,
            Owner owner,
            String about,
            List<String> losesTo,
            @Nullable Duration timeToLive,
            Lodging lodging,
            @Nullable Layout<?> listed,
            boolean bookkeeping,
            @Nullable Entered entered) {
        this.pattern = pattern;
        this.type = type;
        this.owner = owner;
        this.name = pattern.text();
        this.about = about;
        this.losesTo = List.copyOf(losesTo);
        this.timeToLive = timeToLive;
        this.lodging = lodging;
        this.listed = listed;
        this.bookkeeping = bookkeeping;
        this.entered = entered;
    }

    /** A cell of the site: the only one of its kind, or one of few. */
    public static Cell of(KeyType type, String pattern) {
        return of(type, pattern, Grammars.standard());
    }

    /** The same with grammars of the program's own. */
    public static Cell of(KeyType type, String pattern, Grammars grammars) {
        KeyPattern read = KeyPattern.of(pattern, grammars);
        return new Cell(
                read,
                type,
                new Owner.Site(),
                "",
                List.of(),
                null,
                new Lodging.Unknown(),
                null,
                false,
                null);
    }

    /** It lives with the value of this variable of its pattern. */
    public Cell ownedBy(String variable) {
        if (!pattern.variables().contains(variable)) {
            throw new IllegalArgumentException(pattern + " has no variable " + variable);
        }
        return new Cell(
                pattern,
                type,
                new Owner.Variable(variable),
                about,
                losesTo,
                timeToLive,
                lodging,
                listed,
                bookkeeping,
                entered);
    }

    /**
     * It lives with an owner that its key does not name, such as the token of a field; {@link #of}
     * says whose it is. In a cluster such a key exists once in every shard, each with what belongs
     * to the owners there, so that it can be written in one commit with their other things.
     */
    public Cell livesWith(String what) {
        return livesWith(what, new Lodging.Unknown());
    }

    /**
     * The same where each member or field says whose it is, so that a backup of a single server
     * finds its way into the shards of a cluster. Without it, all of it goes to the site's shard.
     */
    public Cell livesWith(String what, UnaryOperator<String> ownerOfElement) {
        return livesWith(what, new Lodging.WithElement(ownerOfElement));
    }

    /** The same where it lives beside the entity that a variable of its key names. */
    public Cell livesBeside(String what, Layout<?> layout, String variable) {
        if (!pattern.variables().contains(variable)) {
            throw new IllegalArgumentException(pattern + " has no variable " + variable);
        }
        return livesWith(what, new Lodging.Beside(layout, variable));
    }

    private Cell livesWith(String what, Lodging newLodging) {
        Owner.Variable with = new Owner.Variable(what);
        return new Cell(
                pattern,
                type,
                with,
                about,
                losesTo,
                timeToLive,
                newLodging,
                listed,
                bookkeeping,
                entered);
    }

    /**
     * Its members are ids of this layout that live in the same shard: the parts of the entity it
     * {@linkplain #livesBeside lives beside}. A member without its entity is drift.
     */
    public Cell listing(Layout<?> layout) {
        if (type != KeyType.SORTED_SET) {
            throw new IllegalArgumentException("Only a sorted set lists entities, not " + name);
        }
        return new Cell(
                pattern,
                type,
                owner,
                about,
                losesTo,
                timeToLive,
                lodging,
                layout,
                bookkeeping,
                entered);
    }

    public Cell about(String sentence) {
        return new Cell(
                pattern,
                type,
                owner,
                sentence,
                losesTo,
                timeToLive,
                lodging,
                listed,
                bookkeeping,
                entered);
    }

    /** Keys that one of these patterns matches are not ours; ids that lead to them are refused. */
    public Cell losesTo(String... patterns) {
        return new Cell(
                pattern,
                type,
                owner,
                about,
                List.of(patterns),
                timeToLive,
                lodging,
                listed,
                bookkeeping,
                entered);
    }

    /** Strings set by a commit expire this long after. */
    public Cell expires(Duration after) {
        return new Cell(
                pattern, type, owner, about, losesTo, after, lodging, listed, bookkeeping, entered);
    }

    /** Keys of the engine that are made anew where they are missing: a backup leaves them out. */
    public Cell bookkeeping() {
        return new Cell(
                pattern, type, owner, about, losesTo, timeToLive, lodging, listed, true, entered);
    }

    /**
     * Its room enters each key into this set, by the value of a variable. A key that somebody else
     * has written and that the set does not know is drift.
     */
    public Cell enteredIn(Cell set, String variable) {
        if (set.type != KeyType.SET || !pattern.variables().contains(variable)) {
            throw new IllegalArgumentException(
                    "%s cannot be entered in %s by %s".formatted(name, set.name, variable));
        }
        return new Cell(
                pattern,
                type,
                owner,
                about,
                losesTo,
                timeToLive,
                lodging,
                listed,
                bookkeeping,
                new Entered(set, variable));
    }

    /**
     * One key of this cell.
     *
     * @throws dev.millrace.keyspace.pattern.BadKeyException if a value does not fit its grammar
     */
    public Key at(String... values) {
        String key = pattern.key(values);
        return new Key(this, key, ownerOf(key, values));
    }

    /**
     * One key of a cell that {@link #livesWith} an owner.
     *
     * @throws dev.millrace.keyspace.pattern.BadKeyException if a value does not fit its grammar
     */
    public Key of(String owner, String... values) {
        if (ownerInKey()) {
            throw new IllegalStateException(
                    "The owner of %s is in the key: use at".formatted(name));
        }
        return new Key(this, pattern.key(values), owner);
    }

    private boolean ownerInKey() {
        return pattern.tagged()
                || !(owner instanceof Owner.Variable(String variable))
                || pattern.variables().contains(variable);
    }

    public boolean isBookkeeping() {
        return bookkeeping;
    }

    public Lodging lodging() {
        return lodging;
    }

    /** The layout whose ids are its members. */
    public Optional<Layout<?>> listed() {
        return Optional.ofNullable(listed);
    }

    /** Where each key is entered. */
    public Optional<Entered> entered() {
        return Optional.ofNullable(entered);
    }

    /** Whether in a cluster this key exists once in every shard, each with a part of it. */
    public boolean split() {
        return !ownerInKey() && !(lodging instanceof Lodging.Beside);
    }

    /** The owner, as far as the key alone says it. */
    public Optional<String> ownerOfKey(String key) {
        return switch (owner) {
            case Owner.Site() -> Optional.of(SITE);
            case Owner.Itself() -> Optional.of(key);
            case Owner.OfId(String what, UnaryOperator<String> of) -> Optional.of(of.apply(key));
            case Owner.Variable(String variable) -> valueIn(key, variable);
        };
    }

    /** The value of a variable in a key. */
    public Optional<String> valueIn(String key, String variable) {
        int at = pattern.variables().indexOf(variable);
        return at < 0 || !pattern.parseable()
                ? Optional.empty()
                : pattern.values(key).map(all -> all.get(at));
    }

    private String ownerOf(String key, String[] values) {
        Optional<String> tag = pattern.hashTag();
        if (tag.isPresent()) {
            return values[pattern.variables().indexOf(tag.get())];
        }
        return switch (owner) {
            case Owner.Site() -> SITE;
            case Owner.Itself() -> key;
            case Owner.OfId(String what, UnaryOperator<String> of) -> of.apply(key);
            case Owner.Variable(String variable) when ownerInKey() ->
                    values[pattern.variables().indexOf(variable)];
            case Owner.Variable(String what) ->
                    throw new IllegalStateException(
                            "%s lives with its %s: say whose it is, with of".formatted(name, what));
        };
    }

    /** A key and where it belongs; made by {@link Cell#at}. */
    public record Key(Cell cell, String key, String owner) {}

    @Override
    public String name() {
        return name;
    }

    @Override
    public String about() {
        return about;
    }

    public KeyType type() {
        return type;
    }

    public KeyPattern pattern() {
        return pattern;
    }

    Owner owner() {
        return owner;
    }

    public Optional<Duration> timeToLive() {
        return Optional.ofNullable(timeToLive);
    }

    @Override
    public List<String> losesTo() {
        return losesTo;
    }

    @Override
    public List<Spot> spots() {
        return List.of(new Spot(this, pattern, type, Spot.Role.CELL, "", ""));
    }

    @Override
    public void freeze() {
        if (timeToLive != null && type != KeyType.STRING) {
            throw new IllegalArgumentException(
                    "Only a string can be set with a time to live in a commit, not " + name);
        }
        if (timeToLive != null && !LayoutRules.isTime(timeToLive)) {
            throw new IllegalArgumentException(
                    "The cell " + name + " " + LayoutRules.NO_TIME + ".");
        }
        if (pattern.tagged() && pattern.head().equals("{")) {
            throw new IllegalArgumentException(
                    "The cell " + name + " " + LayoutRules.TAG_FIRST + ".");
        }
    }

    @Override
    public String toString() {
        return type.words() + " " + pattern;
    }
}
