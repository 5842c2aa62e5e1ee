package dev.millrace.keyspace;

/** What a layout must fulfil before it may be registered; each rule says what would go wrong. */
final class LayoutRules {
    private LayoutRules() {}

    static <E> void check(Layout<E> layout) {
        ownerIsKnown(layout);
        variablesAreBound(layout);
        require(
                layout,
                layout.timeToLive().isEmpty() || layout.indexes().isEmpty(),
                "has a time to live and indexes; the value would expire and its entries stay");
        require(
                layout,
                layout.timeToLive().isEmpty() || layout.timeToLive().get().toMillis() > 0,
                "has a time to live of less than a millisecond, which Redis does not take");
        require(
                layout,
                !layout.pattern().tagged() || layout.indexes().isEmpty(),
                "carries a hash tag of its own, so index keys without it could not be written"
                        + " along");
        layout.kind().ifPresent(kind -> kindHoldsEverything(layout, layout.index(kind)));
        require(
                layout,
                !layout.isRest() || layout.kind().isPresent(),
                "takes the rest of all keys and must name the index that tells its own ones"
                        + " (kind)");
        for (Index<E> index : layout.indexes()) {
            if (index.unique != null) {
                uniqueDecidesTheShard(layout, index.unique);
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
                    "is owned by '" + variable + "', which is no component of its record");
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

    private static <E> void kindHoldsEverything(Layout<E> layout, Index<E> kind) {
        require(
                layout,
                kind.type == KeyType.SORTED_SET && kind.pattern.literal() && !kind.conditional(),
                "names a kind index that does not hold every one of its entities");
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
