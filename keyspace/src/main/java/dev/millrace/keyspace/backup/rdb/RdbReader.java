package dev.millrace.keyspace.backup.rdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads a snapshot of Redis 7 or Valkey 7 and 8 from beginning to end and hands over the keys of
 * one database. Only what these servers write is understood; anything else is an error with a
 * sentence: a backup that leaves something out in silence is none.
 */
public final class RdbReader {
    private static final int TEXT = 0;
    private static final int SET = 2;
    private static final int HASH = 4;
    private static final int SORTED_SET = 5;
    private static final int INT_SET = 11;
    private static final int STREAM_1 = 15;
    private static final int PACKED_HASH = 16;
    private static final int PACKED_SORTED_SET = 17;
    private static final int LIST = 18;
    private static final int STREAM_2 = 19;
    private static final int PACKED_SET = 20;
    private static final int STREAM_3 = 21;

    private static final int SLOT = 0xF4;
    private static final int FUNCTIONS = 0xF5;
    private static final int MODULE_DATA = 0xF7;
    private static final int IDLE = 0xF8;
    private static final int FREQUENCY = 0xF9;
    private static final int REMARK = 0xFA;
    private static final int SIZES = 0xFB;
    private static final int EXPIRES_MILLIS = 0xFC;
    private static final int EXPIRES_SECONDS = 0xFD;
    private static final int DATABASE = 0xFE;
    private static final int END = 0xFF;

    private static final int PLAIN_NODE = 1;
    private static final int PACKED_NODE = 2;

    private final RdbInput in;
    private final int database;
    private final Consumer<Part> target;
    private long expireAt = Part.NEVER;
    private byte[] key = {};

    private RdbReader(InputStream in, int database, Consumer<Part> target) {
        this.in = new RdbInput(in);
        this.database = database;
        this.target = target;
    }

    /**
     * Reads to the end of the snapshot and proves its checksum.
     *
     * @param database whose keys are wanted; those of others are passed over
     * @return what was taken from the stream behind the end
     * @throws SnapshotException if it is damaged, or has something that is not known
     */
    public static byte[] read(InputStream in, int database, Consumer<Part> target) {
        return new RdbReader(in, database, target).read();
    }

    private byte[] read() {
        String head = new String(in.bytes(9), US_ASCII);
        if (!head.startsWith("REDIS") && !head.startsWith("VALKEY")) {
            throw new SnapshotException("What the server sent is not a snapshot.");
        }
        long current = 0;
        while (true) {
            int code = in.read();
            switch (code) {
                case END -> {
                    return proved();
                }
                case DATABASE -> current = in.length();
                case SIZES -> {
                    in.length();
                    in.length();
                }
                case SLOT -> {
                    in.length();
                    in.length();
                    in.length();
                }
                case REMARK -> {
                    in.text();
                    in.text();
                }
                case FUNCTIONS -> in.text();
                case EXPIRES_MILLIS -> expireAt = in.little(8);
                case EXPIRES_SECONDS -> expireAt = in.little(4) * 1000;
                case IDLE -> in.length();
                case FREQUENCY -> in.read();
                case MODULE_DATA ->
                        throw new SnapshotException(
                                "This Redis has a module with data of its own, which a backup"
                                        + " cannot hold; use the tools of the module.");
                default -> {
                    key = in.text();
                    value(code, current == database ? target : part -> {});
                    expireAt = Part.NEVER;
                }
            }
        }
    }

    private byte[] proved() {
        long expected = in.checksum();
        long told = in.little(8);
        if (told != 0 && told != expected) {
            throw new SnapshotException(
                    "The snapshot was damaged on its way: its checksum is another.");
        }
        return in.left();
    }

    private void value(int type, Consumer<Part> to) {
        switch (type) {
            case TEXT -> to.accept(new Part(key, expireAt, new Body.Text(in.text()), true));
            case LIST -> list(to);
            case SET -> {
                PartSink<byte[]> members = sink(Body.Members::new, to);
                for (long left = in.length(); left > 0; left--) {
                    addText(members, in.text());
                }
                members.end(true);
            }
            case INT_SET -> intSet(to);
            case PACKED_SET -> {
                PartSink<byte[]> members = sink(Body.Members::new, to);
                for (Listpack pack = new Listpack(in.text()); pack.hasNext(); ) {
                    addText(members, pack.next());
                }
                members.end(true);
            }
            case HASH -> {
                PartSink<byte[][]> fields = sink(RdbReader::fields, to);
                for (long left = in.length(); left > 0; left--) {
                    addPair(fields, in.text(), in.text());
                }
                fields.end(true);
            }
            case PACKED_HASH -> {
                PartSink<byte[][]> fields = sink(RdbReader::fields, to);
                for (Listpack pack = new Listpack(in.text()); pack.hasNext(); ) {
                    addPair(fields, pack.next(), pack.next());
                }
                fields.end(true);
            }
            case SORTED_SET -> {
                PartSink<Body.Scored> members = sink(Body.Scores::new, to);
                for (long left = in.length(); left > 0; left--) {
                    byte[] member = in.text();
                    addScored(members, member, Double.longBitsToDouble(in.little(8)));
                }
                members.end(true);
            }
            case PACKED_SORTED_SET -> {
                PartSink<Body.Scored> members = sink(Body.Scores::new, to);
                for (Listpack pack = new Listpack(in.text()); pack.hasNext(); ) {
                    byte[] member = pack.next();
                    addScored(members, member, score(pack.next()));
                }
                members.end(true);
            }
            case STREAM_1 -> new RdbStream(in, 1).read(key, expireAt, to);
            case STREAM_2 -> new RdbStream(in, 2).read(key, expireAt, to);
            case STREAM_3 -> new RdbStream(in, 3).read(key, expireAt, to);
            default ->
                    throw new SnapshotException(
                            ("The key '%s' is of a kind (%d) that a backup cannot hold: of a"
                                            + " module, of a newer server, or with fields that"
                                            + " expire one by one.")
                                    .formatted(new String(key, UTF_8), type));
        }
    }

    private <T> PartSink<T> sink(Function<List<T>, Body> body, Consumer<Part> to) {
        return new PartSink<>(key, expireAt, body, to);
    }

    private void list(Consumer<Part> to) {
        long[] count = {0};
        PartSink<byte[]> items =
                sink(
                        some -> {
                            Body body = new Body.Items(count[0], some);
                            count[0] += some.size();
                            return body;
                        },
                        to);
        for (long left = in.length(); left > 0; left--) {
            long kind = in.length();
            byte[] node = in.text();
            if (kind == PLAIN_NODE) {
                addText(items, node);
            } else if (kind == PACKED_NODE) {
                for (Listpack pack = new Listpack(node); pack.hasNext(); ) {
                    addText(items, pack.next());
                }
            } else {
                throw new SnapshotException("The snapshot has a list of a kind not known here.");
            }
        }
        items.end(true);
    }

    private void intSet(Consumer<Part> to) {
        ByteBuffer packed = ByteBuffer.wrap(in.text()).order(ByteOrder.LITTLE_ENDIAN);
        PartSink<byte[]> members = sink(Body.Members::new, to);
        try {
            int width = packed.getInt();
            for (int left = packed.getInt(); left > 0; left--) {
                long number =
                        switch (width) {
                            case 2 -> packed.getShort();
                            case 4 -> packed.getInt();
                            default -> packed.getLong();
                        };
                addText(members, Long.toString(number).getBytes(US_ASCII));
            }
        } catch (BufferUnderflowException e) {
            throw new SnapshotException("The snapshot is damaged: a set of numbers has no end.");
        }
        members.end(true);
    }

    private static double score(byte[] text) {
        String score = new String(text, US_ASCII);
        return switch (score) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> {
                try {
                    yield Double.parseDouble(score);
                } catch (NumberFormatException e) {
                    throw new SnapshotException(
                            "The snapshot is damaged: '%s' is not a valid score.".formatted(score));
                }
            }
        };
    }

    private static Body fields(List<byte[][]> pairs) {
        List<byte[]> flat = new ArrayList<>(2 * pairs.size());
        for (byte[][] pair : pairs) {
            flat.add(pair[0]);
            flat.add(pair[1]);
        }
        return new Body.Fields(flat);
    }

    private static void addText(PartSink<byte[]> sink, byte[] text) {
        sink.add(text, text.length);
    }

    private static void addPair(PartSink<byte[][]> sink, byte[] name, byte[] value) {
        sink.add(new byte[][] {name, value}, name.length + value.length);
    }

    private static void addScored(PartSink<Body.Scored> sink, byte[] member, double score) {
        sink.add(new Body.Scored(member, score), member.length + Double.BYTES);
    }
}
