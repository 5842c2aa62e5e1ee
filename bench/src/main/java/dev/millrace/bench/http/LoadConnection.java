package dev.millrace.bench.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One connection that sends the same request again and again. It knows as much of HTTP as the three
 * servers send: bodies with a length, chunked ones, and none.
 */
final class LoadConnection {
    private static final int ROOM = 8192;
    private static final byte[] LENGTH = "content-length:".getBytes(US_ASCII);
    private static final byte[] CHUNKED = "transfer-encoding:".getBytes(US_ASCII);
    private static final byte[] LAST_CHUNK = "\r\n0\r\n\r\n".getBytes(US_ASCII);

    private final SocketChannel channel;
    private final Workload workload;
    private final byte[] body;
    private final ByteBuffer expected;
    private final ByteBuffer request;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(ROOM);

    LoadConnection(SocketChannel channel, Workload workload, String prefix, int number) {
        this.channel = channel;
        this.workload = workload;
        this.body = workload.body(number);
        this.expected = ByteBuffer.wrap(body);
        byte[] bytes = workload.request(prefix, body);
        this.request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
    }

    void send() throws IOException {
        request.rewind();
        channel.write(request);
        if (request.hasRemaining()) {
            throw new IllegalStateException("A request was too large to be sent at once.");
        }
    }

    /** Takes what has come; true if that completes the answer. */
    boolean receive() throws IOException {
        if (channel.read(answer) < 0) {
            throw new IllegalStateException("The server closed a connection. " + text());
        }
        if (!complete()) {
            if (!answer.hasRemaining()) {
                throw new IllegalStateException("An answer is too long. " + text());
            }
            return false;
        }
        answer.clear();
        return true;
    }

    private boolean complete() {
        int end = answer.position();
        int line = 0;
        int length = 0;
        boolean chunked = false;
        for (int i = 0; i < end; i++) {
            if (answer.get(i) != '\n') {
                continue;
            }
            if (i - line == 1) {
                return chunked ? chunked(i + 1, end) : whole(i + 1, end, length);
            }
            if (begins(line, i, LENGTH)) {
                length = number(line + LENGTH.length, 10);
            } else if (begins(line, i, CHUNKED)) {
                chunked = true;
            }
            line = i + 1;
        }
        return false;
    }

    private boolean whole(int from, int end, int length) {
        if (end - from < length) {
            return false;
        }
        check(from, length, end - from == length);
        return true;
    }

    /** One chunk and the end: nobody here sends more. */
    private boolean chunked(int from, int end) {
        if (end - from <= LAST_CHUNK.length
                || answer.slice(end - LAST_CHUNK.length, LAST_CHUNK.length)
                                .mismatch(ByteBuffer.wrap(LAST_CHUNK))
                        >= 0) {
            return false;
        }
        int length = number(from, 16);
        int begin = from;
        while (answer.get(begin) != '\n') {
            begin++;
        }
        check(begin + 1, length, begin + 1 + length + LAST_CHUNK.length == end);
        return true;
    }

    private void check(int from, int length, boolean nothingElse) {
        int status = number(9, 10);
        if (status != workload.status()
                || !nothingElse
                || !workload.fits(length, body)
                || (workload == Workload.ECHO
                        && answer.slice(from, length).mismatch(expected) >= 0)) {
            throw new IllegalStateException("Not the answer that was expected: " + text());
        }
    }

    private boolean begins(int from, int to, byte[] lowerCase) {
        if (to - from < lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            int c = answer.get(from + i);
            if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    private int number(int from, int base) {
        int at = from;
        while (answer.get(at) == ' ') {
            at++;
        }
        int value = 0;
        for (int digit = Character.digit(answer.get(at), base);
                digit >= 0;
                digit = Character.digit(answer.get(++at), base)) {
            value = value * base + digit;
        }
        return value;
    }

    private String text() {
        byte[] bytes = new byte[Math.min(answer.position(), 500)];
        answer.get(0, bytes);
        return new String(bytes, ISO_8859_1).replaceAll("[\r\n]+", " ");
    }

    void close() throws IOException {
        channel.close();
    }
}
