package dev.millrace.hub.shop.visits;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;

import java.util.List;
import java.util.stream.IntStream;

/**
 * An owner in every place where something of the shop may lie: one on a single server, one for each
 * shard of a cluster.
 */
public final class Everywhere {
    private static final List<String> OF_SHARDS =
            IntStream.range(0, Shards.COUNT).mapToObj(Everywhere::ownerIn).toList();

    private Everywhere() {}

    private static String ownerIn(int shard) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(Integer::toString)
                .filter(each -> Shards.shard(each) == shard)
                .findFirst()
                .orElseThrow();
    }

    public static List<String> owners(Keyspace keyspace) {
        return keyspace.redis().cluster() ? OF_SHARDS : OF_SHARDS.subList(0, 1);
    }
}
