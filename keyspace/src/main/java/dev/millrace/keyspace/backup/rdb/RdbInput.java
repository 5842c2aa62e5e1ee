package dev.millrace.keyspace.backup.rdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The small things of a snapshot: bytes, numbers, lengths, texts; with the checksum of them all.
 */
final class RdbInput {
    private static final int BUFFER = 64 * 1024;

    /** What the server itself allows for one text. */
    private static final long LONGEST = Integer.MAX_VALUE - 16;

    private final InputStream in;
    private final Crc64 crc = new Crc64();
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int summed;
    private int end;

    RdbInput(InputStream in) {
        this.in = in;
    }

    /** The checksum of all that was read. */
    long checksum() {
        crc.update(buffer, summed, at);
        summed = at;
        return crc.value();
    }

    /** What was taken from the stream and not read. */
    byte[] left() {
        return Arrays.copyOfRange(buffer, at, end);
    }

    int read() {
        if (at == end) {
            fill();
        }
        return buffer[at++] & 0xFF;
    }

    private void fill() {
        checksum();
        try {
            int count = in.read(buffer, 0, BUFFER);
            if (count <= 0) {
                throw new SnapshotException("The snapshot ends too early.");
            }
            at = 0;
            summed = 0;
            end = count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] bytes(long length) {
        if (length < 0 || length > LONGEST) {
            throw new SnapshotException(
                    "The snapshot is damaged: a text of %d bytes.".formatted(length));
        }
        byte[] bytes = new byte[(int) length];
        int filled = 0;
        while (filled < bytes.length) {
            if (at == end) {
                fill();
            }
            int count = Math.min(bytes.length - filled, end - at);
            System.arraycopy(buffer, at, bytes, filled, count);
            at += count;
            filled += count;
        }
        return bytes;
    }

    long little(int width) {
        long value = 0;
        for (int i = 0; i < width; i++) {
            value |= (long) read() << (8 * i);
        }
        return value;
    }

    long big(int width) {
        long value = 0;
        for (int i = 0; i < width; i++) {
            value = (value << 8) | read();
        }
        return value;
    }

    long length() {
        int first = read();
        if (first >> 6 == 3) {
            throw new SnapshotException("The snapshot is damaged: a text where a length belongs.");
        }
        return length(first);
    }

    private long length(int first) {
        return switch (first >> 6) {
            case 0 -> first & 0x3F;
            case 1 -> ((first & 0x3F) << 8) | read();
            default ->
                    switch (first) {
                        case 0x80 -> big(4);
                        case 0x81 -> big(8);
                        default ->
                                throw new SnapshotException(
                                        "The snapshot is damaged: a length of kind %d."
                                                .formatted(first));
                    };
        };
    }

    /** A text; numbers and compressed ones come as what they stand for. */
    byte[] text() {
        int first = read();
        if (first >> 6 != 3) {
            return bytes(length(first));
        }
        return switch (first & 0x3F) {
            case 0 -> number((byte) read());
            case 1 -> number((short) little(2));
            case 2 -> number((int) little(4));
            case 3 -> {
                long packed = length();
                long length = length();
                if (length > LONGEST) {
                    throw new SnapshotException("The snapshot is damaged: a text without end.");
                }
                yield Lzf.expand(bytes(packed), (int) length);
            }
            default ->
                    throw new SnapshotException(
                            "The snapshot has a text of kind %d, which is not known here."
                                    .formatted(first & 0x3F));
        };
    }

    private static byte[] number(int value) {
        return Integer.toString(value).getBytes(US_ASCII);
    }
}
