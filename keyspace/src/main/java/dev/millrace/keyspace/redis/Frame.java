package dev.millrace.keyspace.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Words of a command as they go over the wire. Whoever makes a request frames it, and many do at
 * the same time; a lane, of which there are few, only copies. It is also less work: a commit has
 * some sixty words, most of them put together from pieces, and none becomes an object of its own.
 * For one thread, and unchanged once it is sent.
 */
public final class Frame {
    /** What a length and the ends of two lines take at most. */
    private static final int AROUND = 20;

    private static final int FIRST_ROOM = 512;
    private static final byte[] NO_ROOM = {};

    private byte[] bytes;
    private int length;
    private int words;
    private int content;

    public Frame() {
        this.bytes = NO_ROOM;
    }

    /** Without words yet, and with room for so many bytes before it has to grow. */
    public Frame(int room) {
        this.bytes = new byte[room];
    }

    public static Frame of(byte[]... words) {
        int room = 0;
        for (byte[] word : words) {
            room += word.length + AROUND;
        }
        Frame frame = new Frame(room);
        for (byte[] word : words) {
            frame.add(word);
        }
        return frame;
    }

    public Frame add(byte[] word) {
        begin(word.length);
        System.arraycopy(word, 0, bytes, length, word.length);
        length += word.length;
        return end();
    }

    public Frame add(String word) {
        return add("", word);
    }

    /** One word made of two pieces. */
    public Frame add(String first, String second) {
        int before = length;
        int size = first.length() + second.length();
        begin(size);
        if (ascii(first) && ascii(second)) {
            return end();
        }
        length = before;
        words--;
        content -= size;
        return add(first.concat(second).getBytes(UTF_8));
    }

    public Frame add(long number) {
        if (number < 0) {
            return add(Long.toString(number));
        }
        int size = digits(number);
        begin(size);
        putDigits(number, size);
        return end();
    }

    /** These words and those of some others, one after another. */
    public Frame and(Frame... others) {
        int room = length;
        for (Frame each : others) {
            room += each.length;
        }
        Frame all = new Frame(room).addAll(this);
        for (Frame each : others) {
            all.addAll(each);
        }
        return all;
    }

    private Frame addAll(Frame more) {
        ensure(more.length);
        System.arraycopy(more.bytes, 0, bytes, length, more.length);
        length += more.length;
        words += more.words;
        content += more.content;
        return this;
    }

    /** A word before all others. */
    public Frame addFirst(byte[] word) {
        Frame all = new Frame(word.length + AROUND + length).add(word).addAll(this);
        bytes = all.bytes;
        length = all.length;
        words = all.words;
        content = all.content;
        return this;
    }

    /** How many words. */
    public int words() {
        return words;
    }

    /** The bytes of all words, without what frames them. */
    public int content() {
        return content;
    }

    /** The words one by one: for those who look at them, not for sending. */
    public byte[][] split() {
        byte[][] all = new byte[words][];
        int at = 0;
        for (int i = 0; i < words; i++) {
            int size = 0;
            for (at++; bytes[at] != '\r'; at++) {
                size = size * 10 + bytes[at] - '0';
            }
            all[i] = Arrays.copyOfRange(bytes, at + 2, at + 2 + size);
            at += size + 4;
        }
        return all;
    }

    /** Goes through the words without making an object of each. */
    public Words walk() {
        return new Words();
    }

    /** The word that was reached by the last {@link #next}. */
    public final class Words {
        private int begin;
        private int from;
        private int to;
        private int end;

        public Words next() {
            begin = end;
            int size = 0;
            int at = begin + 1;
            for (; bytes[at] != '\r'; at++) {
                size = size * 10 + bytes[at] - '0';
            }
            from = at + 2;
            to = from + size;
            end = to + 2;
            return this;
        }

        /** Stands on the word on which another walk of the same frame stands. */
        public void moveTo(Words other) {
            begin = other.begin;
            from = other.from;
            to = other.to;
            end = other.end;
        }

        public void addTo(Frame other) {
            other.ensure(end - begin);
            System.arraycopy(bytes, begin, other.bytes, other.length, end - begin);
            other.length += end - begin;
            other.words++;
            other.content += to - from;
        }

        /** Byte by byte: equal for equal words, whatever they mean. */
        public String text() {
            return new String(bytes, from, to - from, ISO_8859_1);
        }
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
    }

    // ---------------------------------------------------------------- bytes

    private void begin(int size) {
        ensure(size + AROUND);
        bytes[length++] = '$';
        putDigits(size, digits(size));
        words++;
        content += size;
        lineEnd();
    }

    private Frame end() {
        lineEnd();
        return this;
    }

    private void lineEnd() {
        bytes[length++] = '\r';
        bytes[length++] = '\n';
    }

    /** Copies the text; false, with whatever copied, if it is not all ASCII. */
    private boolean ascii(String text) {
        int size = text.length();
        byte[] to = bytes;
        int at = length;
        int all = 0;
        for (int i = 0; i < size; i++) {
            char each = text.charAt(i);
            to[at + i] = (byte) each;
            all |= each;
        }
        length = at + size;
        return all < 0x80;
    }

    private static int digits(long number) {
        int count = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            count++;
        }
        return count;
    }

    private void putDigits(long number, int count) {
        long rest = number;
        for (int i = length + count - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += count;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            int room = Math.max(bytes.length * 2, FIRST_ROOM);
            bytes = Arrays.copyOf(bytes, Math.max(room, length + more));
        }
    }
}
