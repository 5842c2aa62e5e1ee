package dev.millrace.keyspace.layout;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What a layout must fulfil before it may be registered; each rule says what would go wrong. */
final class LayoutRules {
    static final String NO_TIME = "has a time to live outside 1 ms to 100 years";
    static final String TAG_FIRST =
            "begins with its hash tag, which could be taken for the tag of a shard";

    private LayoutRules() {}

    static <E> void check(Layout<E> layout) {
        ownerIsKnown(layout);
        variablesAreBound(layout);
        require(
                layout,
                layout.timeToLive().isEmpty() || layout.indexes().isEmpty(),
                "has a time to live and indexes; the value would expire and its entries stay");
        layout.timeToLive().ifPresent(time -> require(layout, isTime(time), NO_TIME));
        if (layout.pattern().tagged()) {
            tagDecidesTheShard(layout);
        }
        if (layout.codec() instanceof Codec.Fields<E> fields) {
            comparedFieldsFeedTheIndexes(layout, fields);
        }
        layout.kind().ifPresent(kind -> kindHoldsEverything(layout, layout.mapping().index(kind)));
        require(
                layout,
                !layout.isRest() || layout.kind().isPresent(),
                "takes the rest of all keys and must name the index that tells its own ones"
                        + " (kind)");
        for (Index<E> index : layout.indexes()) {
            if (index.unique != null) {
                uniqueDecidesTheShard(layout, index.unique);
            }
            if (index.tolerated().isPresent()) {
                toleratesWhatItCannotAskFor(layout, index);
            }
        }
    }

    private static <E> void ownerIsKnown(Layout<E> layout) {
        Owner owner = layout.declaredOwner();
        require(layout, owner != null, "names no owner; use ownedBy, ownedByItself or ownedBySite");
        if (owner instanceof Owner.Variable(String variable)) {
            require(
                    layout,
                    layout.binds(variable),
                    "is owned by '" + variable + "', which is not a component of its record");
            require(
                    layout,
                    !layout.pattern().variables().contains(variable)
                            || layout.pattern().parseable(),
                    "has a key from which its owner cannot be read");
        }
    }

    private static <E> void variablesAreBound(Layout<E> layout) {
        for (Spot spot : layout.spots()) {
            for (String variable : spot.pattern().variables()) {
                require(
                        layout,
                        layout.binds(variable),
                        "has a variable {" + variable + "} that no component or binding fills");
            }
        }
        for (Index<E> index : layout.indexes()) {
            require(
                    layout,
                    index.unique == null || layout.binds(index.unique),
                    "has a unique index on '" + index.unique + "', which nothing fills");
        }
    }

    private static void tagDecidesTheShard(Layout<?> layout) {
        require(
                layout,
                layout.indexes().isEmpty(),
                "carries a hash tag of its own, so index keys without it could not be written"
                        + " along");
        require(layout, !layout.pattern().head().equals("{"), TAG_FIRST);
        String tag = layout.pattern().hashTag().orElseThrow();
        boolean same =
                switch (layout.mapping().owner()) {
                    case Owner.Variable(String variable) -> variable.equals(tag);
                    case Owner.Itself() -> layout.pattern().variables().equals(List.of(tag));
                    case Owner.OfId(String what, UnaryOperator<String> of) -> false;
                    case Owner.Site() -> false;
                };
        require(layout, same, "lies where its hash tag says and must be owned by '" + tag + "'");
    }

    /** A field that is not compared may change between read and write, and its entry would stay. */
    private static <E> void comparedFieldsFeedTheIndexes(Layout<E> layout, Codec.Fields<E> fields) {
        Set<String> compared = layout.mapping().comparedFields(fields);
        for (String field : compared) {
            require(
                    layout,
                    fields.names().contains(field),
                    "is indexed by '" + field + "', which is none of its fields");
        }
        Set<String> needed = new LinkedHashSet<>();
        for (Index<E> index : layout.indexes()) {
            needed.addAll(index.pattern.variables());
            if (index.unique != null) {
                needed.add(index.unique);
            }
        }
        if (layout.mapping().owner() instanceof Owner.Variable(String variable)) {
            needed.add(variable);
        }
        for (String variable : needed) {
            require(
                    layout,
                    compared.contains(variable) || !fields.names().contains(variable),
                    "has entries made from '" + variable + "', which indexedBy must name");
        }
    }

    /** Redis takes no shorter time, and a far longer one is a mistake. */
    static boolean isTime(Duration time) {
        return time.compareTo(Duration.ofMillis(1)) >= 0
                && time.compareTo(Duration.ofDays(36_500)) <= 0;
    }

    private static <E> void kindHoldsEverything(Layout<E> layout, Index<E> kind) {
        require(
                layout,
                kind.type == KeyType.SORTED_SET && kind.pattern.literal() && !kind.conditional(),
                "names a kind index that does not hold every one of its entities");
    }

    private static <E> void toleratesWhatItCannotAskFor(Layout<E> layout, Index<E> index) {
        require(
                layout,
                index.type == KeyType.SORTED_SET && index.conditional(),
                "tolerates entries in "
                        + index.pattern
                        + ", which is not a sorted set with a condition (when)");
        require(
                layout,
                !layout.isForeign(),
                "tolerates entries that every reading of a foreign layout would remove");
    }

    /** Two owners live in two shards, where one script cannot see both. */
    private static <E> void uniqueDecidesTheShard(Layout<E> layout, String unique) {
        boolean same =
                layout.declaredOwner() instanceof Owner.Site
                        || (layout.declaredOwner() instanceof Owner.Variable(String variable)
                                && variable.equals(unique));
        require(
                layout,
                same,
                "has a unique index on '"
                        + unique
                        + "' and must be owned by it or by the site; elsewhere two equal values"
                        + " could be stored in two shards");
    }

    private static void require(Layout<?> layout, boolean holds, String problem) {
        if (!holds) {
            throw new IllegalArgumentException("The layout " + layout.name() + " " + problem + ".");
        }
    }
}
