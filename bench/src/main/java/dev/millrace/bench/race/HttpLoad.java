package dev.millrace.bench.race;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
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

    /** Long enough to cost little, short beside what is measured. */
    private static final long NAP_NANOS = 50_000;

    /** After so long without any answer nothing will come, however busy the machine is. */
    private static final long STUCK_NANOS = 60_000_000_000L;

    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *([0-9]+)\r\n");
    private static final Pattern DONE = Pattern.compile("HTTP/1\\.1 20[012] ");
    private static final String CHUNKED = "\r\ntransfer-encoding: chunked\r\n";
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

    private final Selector selector;
    private final List<Line> lines = new ArrayList<>();
    private final LongConsumer latency;

    /** Those without a request in flight, the longest waiting first. */
    private final Deque<Line> rested = new ArrayDeque<>();

    private int open;
    private long count;
    private long lastAnswer;

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
        long due;

        /** Where the answer ends, once its head is there; -1 for one in chunks. */
        int end;

        Line(SocketChannel channel, Talker talker) {
            this.channel = channel;
            this.talker = talker;
        }

        /**
         * @param since from when its latency counts
         */
        void send(long since) throws IOException {
            byte[] next = talker.next(() -> text(ROOM));
            if (next.length > request.capacity()) {
                request = ByteBuffer.allocateDirect(next.length);
            }
            request.clear().put(next).flip();
            answer.clear();
            end = 0;
            due = since;
            channel.write(request);
            if (request.hasRemaining()) {
                throw new IllegalStateException("A request was too large to be sent at once.");
            }
        }

        /** Takes what has come; true if that completes the answer. */
        boolean receive() throws IOException {
            if (channel.read(answer) < 0) {
                throw new IllegalStateException("The server closed a connection. " + sentence());
            }
            if (!answer.hasRemaining()) {
                throw new IllegalStateException("An answer is too long. " + sentence());
            }
            if (end == 0) {
                readHead();
            }
            return end > 0
                    ? answer.position() >= end
                    : end < 0 && tail(LAST_CHUNK.length()).equals(LAST_CHUNK);
        }

        private void readHead() {
            String begin = text(4000);
            int head = begin.indexOf("\r\n\r\n");
            if (head < 0) {
                return;
            }
            if (begin.startsWith("HTTP/1.1 204 ")) {
                end = head + 4;
                return;
            }
            if (!DONE.matcher(begin).lookingAt()) {
                throw new IllegalStateException("Not the answer that was expected: " + sentence());
            }
            String fields = begin.substring(0, head + 2).toLowerCase(Locale.ROOT);
            Matcher length = LENGTH.matcher(fields);
            if (length.find()) {
                end = head + 4 + Integer.parseInt(length.group(1));
            } else if (fields.contains(CHUNKED)) {
                end = -1;
            } else {
                throw new IllegalStateException("An answer without a length: " + sentence());
            }
        }

        private String tail(int length) {
            int from = Math.max(0, answer.position() - length);
            return new String(answer.array(), from, answer.position() - from, ISO_8859_1);
        }

        /** How the answer begins, in one line. */
        private String sentence() {
            return text(500).replaceAll("[\r\n]+", " ");
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
    public HttpLoad(Address server, List<byte[]> requests, LongConsumer latency)
            throws IOException {
        this(latency, server, requests.stream().<Talker>map(each -> answer -> each).toList());
    }

    /** The same with connections whose requests differ. */
    public HttpLoad(LongConsumer latency, Address server, List<Talker> talkers) throws IOException {
        this.latency = latency;
        this.selector = Selector.open();
        for (Talker talker : talkers) {
            SocketChannel channel = SocketChannel.open(server.socket());
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            Line line = new Line(channel, talker);
            lines.add(line);
            channel.register(selector, SelectionKey.OP_READ, line);
        }
    }

    /** Sends these one after the other, each once, and waits for the answers. */
    public static void each(Address server, List<byte[]> requests) throws IOException {
        Iterator<byte[]> left = requests.iterator();
        try (HttpLoad load = new HttpLoad(nanos -> {}, server, List.of(answer -> left.next()))) {
            load.run(Long.MAX_VALUE / 2, Double.POSITIVE_INFINITY, requests.size());
        }
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
        return run(nanos, perSecond, Long.MAX_VALUE);
    }

    /**
     * The same.
     *
     * @param most ends it when so many have been sent, even if there is time left
     */
    public long run(long nanos, double perSecond, long most) throws IOException {
        long began = begin();
        long ends = began + nanos;
        long sent = 0;
        while (open > 0) {
            long now = System.nanoTime();
            if (sent >= most || (sent > 0 && now - ends >= 0)) {
                open -= rested.size();
                rested.clear();
                if (open == 0) {
                    break;
                }
            }
            double allowed = (now - began) / 1e9 * perSecond;
            while (!rested.isEmpty() && sent <= allowed && sent < most) {
                rested.removeFirst().send(System.nanoTime());
                sent++;
            }
            receive(rested.isEmpty() || sent >= most ? WAIT_MILLIS : 1);
        }
        return count;
    }

    /**
     * Requests that come at a fixed rate, whether the earlier have been answered or not, as from
     * clients that do not know of each other. A latency counts from the moment at which the request
     * should have been sent: one that found no free connection because the server stood still has
     * been slow, too. So has one that was still waiting to be sent after twice the time, when this
     * gives up; it is told with the time it has waited by then.
     */
    public long atRate(long nanos, double perSecond) throws IOException {
        long began = begin();
        long all = Math.max(1, (long) (nanos / 1e9 * perSecond));
        double interval = 1e9 / perSecond;
        long sent = 0;
        while (sent < all || rested.size() < lines.size()) {
            long now = System.nanoTime();
            while (sent < all && !rested.isEmpty() && began + sent * interval <= now) {
                rested.removeFirst().send(began + (long) (sent++ * interval));
            }
            if (now - began > 2 * nanos) {
                for (; sent < all; sent++) {
                    latency.accept(now - began - (long) (sent * interval));
                }
            }
            boolean due = sent < all && !rested.isEmpty();
            long left = due ? began + (long) (sent * interval) - now : Long.MAX_VALUE;
            if (left > NAP_NANOS * 20) {
                receive(due ? 1 : WAIT_MILLIS);
            } else {
                // The selector knows whole milliseconds only, which is longer than many an answer.
                receive(0);
                LockSupport.parkNanos(Math.clamp(left, 0, NAP_NANOS));
            }
        }
        return count;
    }

    private long begin() {
        count = 0;
        rested.clear();
        rested.addAll(lines);
        open = lines.size();
        lastAnswer = System.nanoTime();
        return lastAnswer;
    }

    /** Takes what comes within so many ms; 0 for what is there. */
    private void receive(long millis) throws IOException {
        long before = count;
        try {
            if (millis == 0) {
                selector.selectNow(this::answered);
            } else {
                selector.select(this::answered, millis);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        long now = System.nanoTime();
        if (count > before || rested.size() == lines.size()) {
            lastAnswer = now;
        } else if (now - lastAnswer > STUCK_NANOS) {
            throw new IllegalStateException("No answer for a minute.");
        }
    }

    private void answered(SelectionKey key) {
        Line line = (Line) key.attachment();
        try {
            if (line.receive()) {
                long now = System.nanoTime();
                count++;
                latency.accept(now - line.due);
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
