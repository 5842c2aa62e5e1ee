package dev.millrace.keyspace.commit;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.redis.Redis;

/**
 * What every part of the engine stands on: the connection, the declarations, and where things live.
 */
public record Ground(Redis redis, Catalogue catalogue, Shards shards) {

    public static Ground of(Redis redis, Catalogue catalogue) {
        return new Ground(redis, catalogue, new Shards(redis.cluster()));
    }

    /** An empty basket for things that live here. */
    public Commit commit(Place place) {
        return new Commit(this, new Basket(this, place));
    }

    /** The same for whoever the first thing in it belongs to; only the shard is given. */
    public Commit commitIn(Place shard) {
        return new Commit(this, new Basket(this, shard).forAnyOwner());
    }

    /** The same for keys that the engine itself keeps in order. */
    public Basket basket(Place place) {
        return new Basket(this, place);
    }
}
