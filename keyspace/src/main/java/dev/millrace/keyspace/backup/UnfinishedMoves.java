package dev.millrace.keyspace.backup;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.backup.file.Held;
import dev.millrace.keyspace.backup.rdb.Body;
import dev.millrace.keyspace.backup.rdb.Part;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.store.move.MovingCopy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Entities that were on their way to another shard when the snapshots were taken ({@link Moves}).
 * One that had left its old shard already exists as a copy only: the backup holds it as if it had
 * arrived. One that had not is still in its old shard, and its copy is left out. Thread-safe.
 */
final class UnfinishedMoves {
    private final Ground ground;
    private final ConcurrentLinkedQueue<Copy> copies = new ConcurrentLinkedQueue<>();
    private final Map<String, byte[]> receipts = new ConcurrentHashMap<>();

    /** The key is that of the value, without its shard. */
    private record Copy(String key, int shard, byte[] bytes) {}

    UnfinishedMoves(Ground ground) {
        this.ground = ground;
    }

    void copy(Sorting.Sorted name, Part part) {
        if (part.body() instanceof Body.Text(byte[] bytes)) {
            copies.add(new Copy(valueKey(name, Homes.MOVING.head()), name.shard(), bytes));
        }
    }

    void receipt(Sorting.Sorted name, Part part) {
        if (part.body() instanceof Body.Text(byte[] bytes)) {
            receipts.put(name.shard() + " " + valueKey(name, Homes.MOVED.head()), bytes);
        }
    }

    private static String valueKey(Sorting.Sorted name, String head) {
        return new String(name.key(), StandardCharsets.UTF_8).substring(head.length());
    }

    /** Hands over what had left its old shard: the value and its entries. */
    void settled(Consumer<Held> target) {
        for (Copy copy : copies) {
            for (Layout<?> layout : ground.catalogue().layouts()) {
                if (layout.pattern().matches(copy.key)) {
                    settle(layout, copy, target);
                }
            }
        }
    }

    private <E> void settle(Layout<E> layout, Copy copy, Consumer<Held> target) {
        Optional<MovingCopy> read = MovingCopy.decode(copy.bytes, layout.type());
        if (read.isEmpty() || !read.get().layout().equals(layout.name())) {
            return;
        }
        if (!hadLeft(copy, read.get())) {
            return;
        }
        Raw raw = read.get().raw();
        E entity;
        try {
            entity = layout.mapping().decode(copy.key, raw);
        } catch (UndecodableException e) {
            return; // the check of the source reports it
        }
        target.accept(new Held(copy.shard, part(copy.key, value(raw))));
        for (Entry entry : layout.mapping().entries(entity, layout.mapping().idOf(copy.key))) {
            if (!(entry instanceof Entry.Unique)) { // reserved before it left, so it is there
                target.accept(new Held(copy.shard, part(entry.key(), body(entry))));
            }
        }
    }

    /**
     * Whether its receipt is in the snapshot of its old shard; or it is where it went to by now: it
     * arrived between the moments of the two snapshots.
     */
    private boolean hadLeft(Copy copy, MovingCopy read) {
        byte[] receipt = receipts.get(read.from() + " " + copy.key);
        if (receipt != null) {
            return new String(receipt, StandardCharsets.UTF_8).equals(read.pointer().text());
        }
        Place to = ground.shards().shard(copy.shard);
        return Replies.isPresent(ground.redis().call(to.ask("EXISTS", copy.key)));
    }

    private static Part part(String key, Body body) {
        return new Part(text(key), Part.NEVER, body, true);
    }

    private static Body value(Raw raw) {
        return switch (raw) {
            case Raw.Text(byte[] bytes) -> new Body.Text(bytes);
            case Raw.Fields(Map<String, String> fields) -> {
                List<byte[]> flat = new ArrayList<>();
                fields.forEach(
                        (name, value) -> {
                            flat.add(text(name));
                            flat.add(text(value));
                        });
                yield new Body.Fields(flat);
            }
        };
    }

    private static Body body(Entry entry) {
        return switch (entry) {
            case Entry.Sorted(String key, double score, String member) ->
                    new Body.Scores(List.of(new Body.Scored(text(member), score)));
            case Entry.Member(String key, String member) -> new Body.Members(List.of(text(member)));
            case Entry.Unique(String key, String field, String id) ->
                    new Body.Fields(List.of(text(field), text(id)));
        };
    }
}
