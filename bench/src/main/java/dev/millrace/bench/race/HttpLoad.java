package dev.millrace.bench.race;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Connections that each send one request again and again, the next one when the answer is there.
 * One thread does it all, so that it takes little of the cores that it shares with the hub; it
 * looks at every answer nevertheless: its status, and that it is whole.
 */
public final class HttpLoad implements AutoCloseable {
    private static final int ROOM = 1 << 20;
    private static final long WAIT_MILLIS = 100;

    /** After so long without any answer nothing will come, however busy the machine is. */
    private static final long STUCK_NANOS = 60_000_000_000L;

    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *([0-9]+)\r\n");
    private static final String CHUNKED = "\r\ntransfer-encoding: chunked\r\n";
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

    private final Selector selector;
    private final List<Line> lines = new ArrayList<>();
    private final LongConsumer latency;

    /** Those without a request in flight, the longest waiting first. */
    private final Deque<Line> rested = new ArrayDeque<>();

    private long ends;
    private int open;
    private long count;

    /** What a connection says, one request after the other. */
    public interface Talker {
        /**
         * The next request.
         *
         * @param answer to the one before, to be asked for only where it matters
         */
        byte[] next(Supplier<String> answer);
    }

    private static final class Line {
        final SocketChannel channel;
        final Talker talker;
        final ByteBuffer answer = ByteBuffer.allocate(ROOM);
        ByteBuffer request = ByteBuffer.allocateDirect(0);
        long sent;

        /** Where the answer ends, once its head is there; -1 for one in chunks. */
        int end;

        Line(SocketChannel channel, Talker talker) {
            this.channel = channel;
            this.talker = talker;
        }

        void send() throws IOException {
            byte[] next = talker.next(() -> text(ROOM));
            if (next.length > request.capacity()) {
                request = ByteBuffer.allocateDirect(next.length);
            }
            request.clear().put(next).flip();
            answer.clear();
            end = 0;
            sent = System.nanoTime();
            channel.write(request);
            if (request.hasRemaining()) {
                throw new IllegalStateException("A request was too large to be sent at once.");
            }
        }

        /** Takes what has come; true if that completes the answer. */
        boolean receive() throws IOException {
            if (channel.read(answer) < 0) {
                throw new IllegalStateException("The hub closed a connection. " + text(500));
            }
            if (!answer.hasRemaining()) {
                throw new IllegalStateException("An answer is too long. " + text(500));
            }
            if (end == 0) {
                readHead();
            }
            return end > 0
                    ? answer.position() >= end
                    : end < 0 && tail(LAST_CHUNK.length()).equals(LAST_CHUNK);
        }

        private void readHead() {
            String begin = text(1000);
            int head = begin.indexOf("\r\n\r\n");
            if (head < 0) {
                return;
            }
            if (begin.startsWith("HTTP/1.1 204 ")) {
                end = head + 4;
                return;
            }
            if (!begin.startsWith("HTTP/1.1 200 ")) {
                throw new IllegalStateException("Not the answer that was expected: " + begin);
            }
            String fields = begin.substring(0, head + 2).toLowerCase(Locale.ROOT);
            Matcher length = LENGTH.matcher(fields);
            if (length.find()) {
                end = head + 4 + Integer.parseInt(length.group(1));
            } else if (fields.contains(CHUNKED)) {
                end = -1;
            } else {
                throw new IllegalStateException("An answer without a length: " + begin);
            }
        }

        private String tail(int length) {
            int from = Math.max(0, answer.position() - length);
            return new String(answer.array(), from, answer.position() - from, ISO_8859_1);
        }

        private String text(int most) {
            return new String(answer.array(), 0, Math.min(answer.position(), most), ISO_8859_1);
        }
    }

    /**
     * Opens a connection for each request.
     *
     * @param latency told of every answer how long it took, in ns
     */
    public HttpLoad(int port, List<byte[]> requests, LongConsumer latency) throws IOException {
        this(latency, port, requests.stream().<Talker>map(each -> answer -> each).toList());
    }

    /** The same with connections whose requests differ. */
    public HttpLoad(LongConsumer latency, int port, List<Talker> talkers) throws IOException {
        this.latency = latency;
        this.selector = Selector.open();
        for (Talker talker : talkers) {
            SocketChannel channel =
                    SocketChannel.open(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
            Line line = new Line(channel, talker);
            lines.add(line);
            channel.register(selector, SelectionKey.OP_READ, line);
        }
    }

    /** A whole request, as it goes over the wire. */
    public static byte[] post(String path, String body) {
        return request("POST", path, body);
    }

    public static byte[] request(String method, String path, String body) {
        return ("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                                .formatted(method, path)
                        + "Content-Length: %d\r\n\r\n%s"
                                .formatted(body.getBytes(UTF_8).length, body))
                .getBytes(UTF_8);
    }

    public static byte[] get(String path) {
        return "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n"
                .formatted(path)
                .getBytes(UTF_8);
    }

    /**
     * Sends for so long, however little that is at least once, and waits for what is still to come;
     * gives how many answers there were.
     */
    public long run(long nanos) throws IOException {
        return run(nanos, Double.POSITIVE_INFINITY);
    }

    /** The same with so many requests a second at most, evenly spread. */
    public long run(long nanos, double perSecond) throws IOException {
        long began = System.nanoTime();
        ends = began + nanos;
        rested.addAll(lines);
        open = lines.size();
        long sent = 0;
        long lastAnswer = began;
        while (open > 0) {
            long now = System.nanoTime();
            if (sent > 0 && now - ends >= 0) {
                open -= rested.size();
                rested.clear();
                if (open == 0) {
                    break;
                }
            }
            double allowed = (now - began) / 1e9 * perSecond;
            while (!rested.isEmpty() && sent <= allowed) {
                rested.removeFirst().send();
                sent++;
            }
            long before = count;
            try {
                selector.select(this::answered, rested.isEmpty() ? WAIT_MILLIS : 1);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            now = System.nanoTime();
            if (count > before) {
                lastAnswer = now;
            } else if (now - lastAnswer > STUCK_NANOS) {
                throw new IllegalStateException("No answer for a minute.");
            }
        }
        return count;
    }

    private void answered(SelectionKey key) {
        Line line = (Line) key.attachment();
        try {
            if (line.receive()) {
                long now = System.nanoTime();
                count++;
                latency.accept(now - line.sent);
                rested.addLast(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Line line : lines) {
            line.channel.close();
        }
        selector.close();
    }
}
