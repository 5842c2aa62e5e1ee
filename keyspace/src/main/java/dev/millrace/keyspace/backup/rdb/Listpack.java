package dev.millrace.keyspace.backup.rdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * A small collection as one text: a head of six bytes, then the elements, each with its kind before
 * and its length behind. Numbers are kept as such and handed out as the text they stand for.
 */
final class Listpack {
    private static final int HEAD = 6;
    private static final int END = 0xFF;

    private final byte[] bytes;
    private int at = HEAD;

    Listpack(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasNext() {
        return byteAt(at) != END;
    }

    byte[] next() {
        int kind = byteAt(at);
        if ((kind & 0xC0) == 0x80) {
            return text(1, kind & 0x3F);
        }
        if ((kind & 0xF0) == 0xE0) {
            return text(2, ((kind & 0x0F) << 8) | byteAt(at + 1));
        }
        if (kind == 0xF0) {
            return text(5, (int) little(at + 1, 4));
        }
        return Long.toString(number()).getBytes(US_ASCII);
    }

    long nextNumber() {
        int kind = byteAt(at);
        boolean text = (kind & 0xC0) == 0x80 || (kind & 0xF0) == 0xE0 || kind == 0xF0;
        if (!text) {
            return number();
        }
        try {
            return Long.parseLong(new String(next(), US_ASCII));
        } catch (NumberFormatException e) {
            throw damaged();
        }
    }

    private long number() {
        int kind = byteAt(at);
        if (kind < 0x80) {
            skip(1);
            return kind;
        }
        if ((kind & 0xE0) == 0xC0) {
            int value = ((kind & 0x1F) << 8) | byteAt(at + 1);
            skip(2);
            return value >= 1 << 12 ? value - (1 << 13) : value;
        }
        int width =
                switch (kind) {
                    case 0xF1 -> 2;
                    case 0xF2 -> 3;
                    case 0xF3 -> 4;
                    case 0xF4 -> 8;
                    default -> throw damaged();
                };
        long value = little(at + 1, width);
        skip(1 + width);
        int spare = 64 - 8 * width;
        return value << spare >> spare;
    }

    private byte[] text(int head, int length) {
        int from = at + head;
        if (length < 0 || from + length > bytes.length) {
            throw damaged();
        }
        byte[] text = Arrays.copyOfRange(bytes, from, from + length);
        skip(head + length);
        return text;
    }

    /** Goes behind an element of this size and behind its length. */
    private void skip(int size) {
        int back = 1;
        for (int left = size >>> 7; left > 0; left >>>= 7) {
            back++;
        }
        at += size + back;
    }

    private long little(int from, int width) {
        long value = 0;
        for (int i = width - 1; i >= 0; i--) {
            value = (value << 8) | byteAt(from + i);
        }
        return value;
    }

    private int byteAt(int index) {
        if (index < 0 || index >= bytes.length) {
            throw damaged();
        }
        return bytes[index] & 0xFF;
    }

    private static SnapshotException damaged() {
        return new SnapshotException("The snapshot is damaged: a packed list has no end.");
    }
}
