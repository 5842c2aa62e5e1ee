package dev.millrace.keyspace.commit;

import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Words;

import java.nio.charset.StandardCharsets;

/**
 * Where an owner's things live, and the queue its writes take.
 *
 * @param order hash of the owner: writes of one order are executed in the order they were made
 * @param slot what Redis Cluster calls the place; 0 on a single server
 * @param prefix the shard's hash tag before every key; empty on a single server
 * @param tag the hash tag that the keys carry by themselves; empty where they do not
 */
public record Place(int order, int slot, String prefix, String tag) {

    public int shard() {
        return order & (Shards.COUNT - 1);
    }

    public byte[] key(String key) {
        return (prefix.isEmpty() ? key : prefix.concat(key)).getBytes(StandardCharsets.UTF_8);
    }

    /** A question about a key that lives here. */
    public Request ask(String command, String key, String... more) {
        byte[][] words = new byte[2 + more.length][];
        words[0] = Words.text(command);
        words[1] = key(key);
        for (int i = 0; i < more.length; i++) {
            words[2 + i] = Words.text(more[i]);
        }
        return Request.reading(order, slot, words);
    }

    /** Whether what lives here and there can be written together, on a cluster too. */
    public boolean together(Place other) {
        return shard() == other.shard() && slot == other.slot && tag.equals(other.tag);
    }
}
