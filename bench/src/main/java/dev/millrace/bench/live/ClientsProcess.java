package dev.millrace.bench.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The clients, in a process of their own and on one thread. It connects all of them and waits for a
 * line; lets all of them ask for the feed and waits for a line; then reads, and says for every fact
 * that all have got after how many microseconds half of them and the last had it. Some more clients
 * ask and never read.
 */
final class ClientsProcess {
    private static final byte[] ASK =
            "GET /live?feeds=bench HTTP/1.1\r\nHost: bench\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);
    private static final String READY = "event: ready";
    private static final String FACT = "data: {\"t\":";

    private final int count;
    private final Selector selector = Selector.open();
    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(256 << 10);
    private final Map<Long, long[]> delays = new HashMap<>();
    private final Map<Long, Integer> arrived = new HashMap<>();
    private int ready;

    private ClientsProcess(int count) throws IOException {
        this.count = count;
    }

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        int deaf = Integer.parseInt(args[2]);
        ClientsProcess clients = new ClientsProcess(Integer.parseInt(args[1]));
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        InetSocketAddress hub = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < clients.count; i++) {
            clients.channels.add(SocketChannel.open(hub));
        }
        System.out.println("connected");
        in.readLine();
        List<SocketChannel> never = new ArrayList<>();
        for (int i = 0; i < deaf; i++) {
            SocketChannel channel = SocketChannel.open(hub);
            channel.write(ByteBuffer.wrap(ASK));
            never.add(channel);
        }
        for (SocketChannel channel : clients.channels) {
            channel.write(ByteBuffer.wrap(ASK));
            channel.configureBlocking(false);
            channel.register(clients.selector, SelectionKey.OP_READ);
        }
        clients.read();
        System.out.println("ended " + never.size());
    }

    private void read() throws IOException {
        boolean open = true;
        while (open) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                open &= read(key);
            }
            selector.selectedKeys().clear();
        }
    }

    private boolean read(SelectionKey key) throws IOException {
        buffer.clear();
        if (((SocketChannel) key.channel()).read(buffer) < 0) {
            return false;
        }
        long now = System.nanoTime();
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        String rest = key.attachment() instanceof String text ? text : "";
        String all = rest + new String(bytes, StandardCharsets.ISO_8859_1);
        int from = 0;
        for (int end = all.indexOf('\n'); end >= 0; end = all.indexOf('\n', from)) {
            line(all.substring(from, end), now);
            from = end + 1;
        }
        key.attach(from == all.length() ? null : all.substring(from));
        return true;
    }

    private void line(String line, long now) {
        if (line.startsWith(READY) && ++ready == count) {
            System.out.println("listening");
        } else if (line.startsWith(FACT)) {
            long sent = Long.parseLong(line, FACT.length(), line.indexOf(',', FACT.length()), 10);
            long[] all = delays.computeIfAbsent(sent, each -> new long[count]);
            int already = arrived.merge(sent, 1, Integer::sum);
            all[already - 1] = now - sent;
            if (already == count) {
                Arrays.sort(all);
                System.out.println("fact " + all[count / 2] / 1000 + " " + all[count - 1] / 1000);
                delays.remove(sent);
                arrived.remove(sent);
            }
        }
    }
}
