package dev.millrace.keyspace.commit;

import dev.millrace.keyspace.layout.Layout;

/**
 * An entity with its key and where it lives, worked out once for all that is done with it.
 *
 * @param place of its owner
 */
public record Located<E>(Layout<E> layout, E entity, String key, Place place) {

    /**
     * Works it out.
     *
     * @throws dev.millrace.keyspace.pattern.BadKeyException if it has no key or owner that its
     *     layout allows
     */
    public static <E> Located<E> of(Shards shards, Layout<E> layout, E entity) {
        String key = layout.mapping().key(entity);
        String owner = layout.mapping().ownerOf(entity);
        Place place = layout.pattern().tagged() ? shards.tagged(key, owner) : shards.place(owner);
        return new Located<>(layout, entity, key, place);
    }

    public String id() {
        return layout.mapping().idOf(key);
    }
}
