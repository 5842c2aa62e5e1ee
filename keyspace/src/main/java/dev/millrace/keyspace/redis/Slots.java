package dev.millrace.keyspace.redis;

import java.nio.charset.StandardCharsets;

/** The hash that Redis Cluster spreads keys by: CRC16 (XMODEM) of the key or of its hash tag. */
public final class Slots {
    public static final int COUNT = 16384;

    private static final int[] TABLE = table();

    private Slots() {}

    /** CRC16 of the UTF-8 bytes of {@code text}. */
    public static int crc16(String text) {
        return crc16(text.getBytes(StandardCharsets.UTF_8));
    }

    public static int crc16(byte[] bytes) {
        return crc16(bytes, 0, bytes.length);
    }

    static int crc16(byte[] bytes, int from, int to) {
        int crc = 0;
        for (int i = from; i < to; i++) {
            crc = extend(crc, bytes[i]);
        }
        return crc;
    }

    /** The checksum of a text that is one byte longer. */
    public static int extend(int crc, byte next) {
        return ((crc << 8) & 0xFFFF) ^ TABLE[((crc >>> 8) ^ next) & 0xFF];
    }

    /** The slot of a key; the first non-empty {@code {…}} in it, if any, decides alone. */
    public static int of(byte[] key) {
        int open = indexOf(key, '{', 0);
        if (open >= 0) {
            int close = indexOf(key, '}', open + 1);
            if (close > open + 1) {
                return crc16(key, open + 1, close) & (COUNT - 1);
            }
        }
        return crc16(key) & (COUNT - 1);
    }

    public static int of(String key) {
        return of(key.getBytes(StandardCharsets.UTF_8));
    }

    private static int indexOf(byte[] key, char wanted, int from) {
        for (int i = from; i < key.length; i++) {
            if (key[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < 256; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
            }
            table[i] = crc & 0xFFFF;
        }
        return table;
    }
}
