package dev.millrace.keyspace.backup.file;

import dev.millrace.keyspace.backup.rdb.Body;
import dev.millrace.keyspace.backup.rdb.Part;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A part as bytes: numbers with their high byte first, texts and lists with their length before.
 */
final class HeldCodec {
    private HeldCodec() {}

    static byte[] encode(Held held) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            Part part = held.part();
            out.writeByte(held.shard());
            out.writeByte(part.last() ? 1 : 0);
            out.writeLong(part.expireAt());
            text(out, part.key());
            body(out, part.body());
        }
        return bytes.toByteArray();
    }

    private static void body(DataOutputStream out, Body body) throws IOException {
        switch (body) {
            case Body.Text(byte[] bytes) -> {
                out.writeByte('t');
                text(out, bytes);
            }
            case Body.Items(long from, List<byte[]> items) -> {
                out.writeByte('l');
                out.writeLong(from);
                texts(out, items);
            }
            case Body.Members(List<byte[]> members) -> {
                out.writeByte('s');
                texts(out, members);
            }
            case Body.Fields(List<byte[]> flat) -> {
                out.writeByte('h');
                texts(out, flat);
            }
            case Body.Scores(List<Body.Scored> members) -> {
                out.writeByte('z');
                out.writeInt(members.size());
                for (Body.Scored each : members) {
                    text(out, each.member());
                    out.writeLong(Double.doubleToLongBits(each.score()));
                }
            }
            case Body.Entries(List<Body.StreamEntry> entries) -> {
                out.writeByte('x');
                out.writeInt(entries.size());
                for (Body.StreamEntry entry : entries) {
                    id(out, entry.id());
                    texts(out, entry.flat());
                }
            }
            case Body.StreamState state -> {
                out.writeByte('X');
                id(out, state.last());
                id(out, state.maxDeleted());
                out.writeLong(state.entriesAdded());
                out.writeInt(state.groups().size());
                for (Body.StreamGroup group : state.groups()) {
                    group(out, group);
                }
            }
        }
    }

    private static void group(DataOutputStream out, Body.StreamGroup group) throws IOException {
        text(out, group.name());
        id(out, group.last());
        out.writeLong(group.entriesRead());
        texts(out, group.consumers());
        out.writeInt(group.pending().size());
        for (Body.Pending each : group.pending()) {
            id(out, each.id());
            out.writeInt(each.consumer());
            out.writeLong(each.deliveredAt());
            out.writeLong(each.deliveries());
        }
    }

    private static void id(DataOutputStream out, Body.StreamId id) throws IOException {
        out.writeLong(id.millis());
        out.writeLong(id.sequence());
    }

    private static void text(DataOutputStream out, byte[] text) throws IOException {
        out.writeInt(text.length);
        out.write(text);
    }

    private static void texts(DataOutputStream out, List<byte[]> texts) throws IOException {
        out.writeInt(texts.size());
        for (byte[] text : texts) {
            text(out, text);
        }
    }

    // ---------------------------------------------------------------- and back

    static Held decode(ByteBuffer in) {
        int shard = in.get();
        boolean last = in.get() != 0;
        long expireAt = in.getLong();
        byte[] key = text(in);
        return new Held(shard, new Part(key, expireAt, body(in), last));
    }

    private static Body body(ByteBuffer in) {
        char type = (char) in.get();
        return switch (type) {
            case 't' -> new Body.Text(text(in));
            case 'l' -> new Body.Items(in.getLong(), texts(in));
            case 's' -> new Body.Members(texts(in));
            case 'h' -> new Body.Fields(texts(in));
            case 'z' -> {
                List<Body.Scored> members = new ArrayList<>();
                for (int left = in.getInt(); left > 0; left--) {
                    byte[] member = text(in);
                    members.add(new Body.Scored(member, Double.longBitsToDouble(in.getLong())));
                }
                yield new Body.Scores(members);
            }
            case 'x' -> {
                List<Body.StreamEntry> entries = new ArrayList<>();
                for (int left = in.getInt(); left > 0; left--) {
                    entries.add(new Body.StreamEntry(id(in), texts(in)));
                }
                yield new Body.Entries(entries);
            }
            case 'X' -> {
                Body.StreamId last = id(in);
                Body.StreamId maxDeleted = id(in);
                long added = in.getLong();
                List<Body.StreamGroup> groups = new ArrayList<>();
                for (int left = in.getInt(); left > 0; left--) {
                    groups.add(group(in));
                }
                yield new Body.StreamState(last, maxDeleted, added, groups);
            }
            default -> throw new IllegalArgumentException("content of kind " + (int) type);
        };
    }

    private static Body.StreamGroup group(ByteBuffer in) {
        byte[] name = text(in);
        Body.StreamId last = id(in);
        long entriesRead = in.getLong();
        List<byte[]> consumers = texts(in);
        List<Body.Pending> pending = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            pending.add(new Body.Pending(id(in), in.getInt(), in.getLong(), in.getLong()));
        }
        return new Body.StreamGroup(name, last, entriesRead, consumers, pending);
    }

    private static Body.StreamId id(ByteBuffer in) {
        return new Body.StreamId(in.getLong(), in.getLong());
    }

    private static byte[] text(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] text = new byte[length];
        in.get(text);
        return text;
    }

    private static List<byte[]> texts(ByteBuffer in) {
        List<byte[]> texts = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            texts.add(text(in));
        }
        return texts;
    }
}
