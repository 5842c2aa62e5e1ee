package dev.millrace.keyspace.backup.rdb;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One stream of a snapshot: its entries, then its numbers and consumer groups. */
final class RdbStream {
    private static final int DELETED = 1;
    private static final int SAME_FIELDS = 2;

    private final RdbInput in;
    private final int version;

    RdbStream(RdbInput in, int version) {
        this.in = in;
        this.version = version;
    }

    void read(byte[] key, long expireAt, Consumer<Part> to) {
        PartSink<Body.StreamEntry> entries = new PartSink<>(key, expireAt, Body.Entries::new, to);
        for (long left = in.length(); left > 0; left--) {
            block(first(in.text()), new Listpack(in.text()), entries);
        }
        entries.end(false);
        long count = in.length();
        Body.StreamId last = numbers();
        Body.StreamId maxDeleted = new Body.StreamId(0, 0);
        long added = count;
        if (version >= 2) {
            numbers(); // the first entry, which follows from the entries
            maxDeleted = numbers();
            added = in.length();
        }
        List<Body.StreamGroup> groups = new ArrayList<>();
        for (long left = in.length(); left > 0; left--) {
            groups.add(group());
        }
        Body state = new Body.StreamState(last, maxDeleted, added, groups);
        to.accept(new Part(key, expireAt, state, true));
    }

    /** The id of the first entry of a block, which is the block's name. */
    private static Body.StreamId first(byte[] name) {
        if (name.length != 2 * Long.BYTES) {
            throw new SnapshotException("The snapshot is damaged: a stream without ids.");
        }
        ByteBuffer halves = ByteBuffer.wrap(name);
        return new Body.StreamId(halves.getLong(), halves.getLong());
    }

    /** Entries that lie together; those with the fields of the first name none. */
    private static void block(
            Body.StreamId first, Listpack pack, PartSink<Body.StreamEntry> target) {
        long count = pack.nextNumber() + pack.nextNumber();
        List<byte[]> names = new ArrayList<>();
        for (long left = pack.nextNumber(); left > 0; left--) {
            names.add(pack.next());
        }
        pack.next();
        for (; count > 0; count--) {
            long flags = pack.nextNumber();
            long millis = first.millis() + pack.nextNumber();
            long sequence = first.sequence() + pack.nextNumber();
            boolean same = (flags & SAME_FIELDS) != 0;
            long fields = same ? names.size() : pack.nextNumber();
            List<byte[]> flat = new ArrayList<>();
            int size = 0;
            for (int i = 0; i < fields; i++) {
                byte[] name = same ? names.get(i) : pack.next();
                byte[] value = pack.next();
                flat.add(name);
                flat.add(value);
                size += name.length + value.length;
            }
            pack.next();
            if ((flags & DELETED) == 0) {
                target.add(new Body.StreamEntry(new Body.StreamId(millis, sequence), flat), size);
            }
        }
    }

    private Body.StreamGroup group() {
        byte[] name = in.text();
        Body.StreamId last = numbers();
        long entriesRead = version >= 2 ? in.length() : -1;
        Map<Body.StreamId, long[]> given = new HashMap<>();
        List<Body.StreamId> order = new ArrayList<>();
        for (long left = in.length(); left > 0; left--) {
            Body.StreamId id = id();
            order.add(id);
            given.put(id, new long[] {in.little(8), in.length(), 0});
        }
        List<byte[]> consumers = new ArrayList<>();
        for (long left = in.length(); left > 0; left--) {
            byte[] consumer = in.text();
            in.little(8); // when it was seen, and when it was active: passes by itself
            if (version >= 3) {
                in.little(8);
            }
            for (long mine = in.length(); mine > 0; mine--) {
                long[] entry = given.get(id());
                if (entry == null) {
                    throw new SnapshotException("The snapshot is damaged: a stream's group.");
                }
                entry[2] = consumers.size();
            }
            consumers.add(consumer);
        }
        List<Body.Pending> pending = new ArrayList<>();
        for (Body.StreamId id : order) {
            long[] entry = given.get(id);
            if (entry != null) {
                pending.add(new Body.Pending(id, (int) entry[2], entry[0], entry[1]));
            }
        }
        return new Body.StreamGroup(name, last, entriesRead, consumers, pending);
    }

    private Body.StreamId id() {
        return new Body.StreamId(in.big(8), in.big(8));
    }

    private Body.StreamId numbers() {
        return new Body.StreamId(in.length(), in.length());
    }
}
