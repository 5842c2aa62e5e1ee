package dev.millrace.bench.realtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The clients, in a process of their own and on one thread. Each connects and says {@code
 * connected}; subscribes to one channel when it is told a line, and says {@code listening}; then
 * every message with a time in it counts. A line {@code count} makes it say how many there were,
 * {@code report} how many and within how many microseconds half, 99 of 100 and all of them came,
 * and begin anew.
 */
final class Listeners {
    private static final String TIME = "\"point_id\":1,\"value\":";
    private static final int TEXT = 1;

    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    private final int count;
    private long[] delays = new long[1 << 16];
    private int heard;
    private int ready;

    /** What one connection has not been given completely. */
    private static final class Rest {
        private byte[] bytes = {};
        private boolean open;
    }

    private Listeners(int count) throws IOException {
        this.count = count;
    }

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        int clients = Integer.parseInt(args[1]);
        int channels = Integer.parseInt(args[2]);
        int deaf = Integer.parseInt(args[3]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, ISO_8859_1));
        Listeners all = new Listeners(clients);
        InetSocketAddress hub = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        List<SocketChannel> open = new ArrayList<>();
        for (int i = 0; i < clients + deaf; i++) {
            SocketChannel channel = SocketChannel.open(hub);
            channel.write(ByteBuffer.wrap(handshake()));
            open.add(channel);
        }
        System.out.println("connected");
        in.readLine();
        for (int i = 0; i < open.size(); i++) {
            SocketChannel channel = open.get(i);
            channel.write(ByteBuffer.wrap(subscribe(i % channels + 1)));
            if (i < clients) {
                channel.configureBlocking(false);
                channel.register(all.selector, SelectionKey.OP_READ, new Rest());
            }
        }
        Thread.ofPlatform().daemon().start(() -> all.listenTo(in));
        all.read();
    }

    private static byte[] handshake() {
        return """
        GET /ws HTTP/1.1
        Host: localhost
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        Sec-WebSocket-Version: 13

        """
                .replace("\n", "\r\n")
                .getBytes(ISO_8859_1);
    }

    private static byte[] subscribe(int channel) {
        byte[] text =
                """
                {"type":"subscribe","data":{"channels":[%d],"interval":0,"mode":"change"}}\
                """
                        .formatted(channel)
                        .getBytes(ISO_8859_1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0x81);
        out.write(0x80 | text.length);
        out.writeBytes(new byte[4]);
        out.writeBytes(text);
        return out.toByteArray();
    }

    private void listenTo(BufferedReader in) {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(
                        line.equals("report") ? "report " + report() : "count " + heardSoFar());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.exit(0);
    }

    private synchronized String report() {
        long[] sorted = Arrays.copyOf(delays, heard);
        Arrays.sort(sorted);
        heard = 0;
        int last = sorted.length - 1;
        return last < 0
                ? "0 0 0 0"
                : "%d %d %d %d"
                        .formatted(
                                sorted.length,
                                sorted[last / 2] / 1000,
                                sorted[(int) (last * 0.99)] / 1000,
                                sorted[last] / 1000);
    }

    private synchronized int heardSoFar() {
        return heard;
    }

    private synchronized void heard(long nanos) {
        if (heard == delays.length) {
            delays = Arrays.copyOf(delays, heard * 2);
        }
        delays[heard++] = nanos;
    }

    private void read() throws IOException {
        while (true) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                read(key);
            }
            selector.selectedKeys().clear();
        }
    }

    private void read(SelectionKey key) throws IOException {
        buffer.clear();
        if (((SocketChannel) key.channel()).read(buffer) < 0) {
            throw new IOException("A client was closed.");
        }
        long now = System.nanoTime();
        Rest rest = (Rest) key.attachment();
        buffer.flip();
        byte[] all = Arrays.copyOf(rest.bytes, rest.bytes.length + buffer.remaining());
        buffer.get(all, rest.bytes.length, buffer.remaining());
        int at = rest.open ? 0 : end(all);
        if (at >= 0) {
            rest.open = true;
            at = frames(all, at, now);
            rest.bytes = Arrays.copyOfRange(all, at, all.length);
        } else {
            rest.bytes = all;
        }
    }

    /** Where the answer to the handshake ends; -1 if that is not here yet. */
    private static int end(byte[] bytes) {
        int at = new String(bytes, ISO_8859_1).indexOf("\r\n\r\n");
        return at < 0 ? -1 : at + 4;
    }

    private int frames(byte[] all, int from, long now) {
        int at = from;
        while (at + 4 <= all.length) {
            int length = all[at + 1] & 0x7F;
            int body = at + 2;
            if (length == 126) {
                length = ((all[at + 2] & 0xFF) << 8) | (all[at + 3] & 0xFF);
                body = at + 4;
            }
            if (body + length > all.length) {
                break;
            }
            if ((all[at] & 0x0F) == TEXT) {
                message(new String(all, body, length, ISO_8859_1), now);
            }
            at = body + length;
        }
        return at;
    }

    private void message(String text, long now) {
        if (text.startsWith("{\"type\":\"subscribe_ack\"") && ++ready == count) {
            System.out.println("listening");
        }
        int at = text.indexOf(TIME);
        if (at >= 0) {
            int begin = at + TIME.length();
            int end = begin;
            while (end < text.length() && Character.isDigit(text.charAt(end))) {
                end++;
            }
            long micros = Long.parseLong(text, begin, end, 10);
            if (micros > 0) {
                heard(now - micros * 1000);
            }
        }
    }
}
