package dev.millrace.bench.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A fixed number of connections, each with one request in flight: the next one leaves when the
 * answer is there. One thread does it all, so that it costs little beside the server that it
 * measures; it looks at every answer nevertheless.
 */
final class Load implements AutoCloseable {
    private static final long WAIT_MILLIS = 100;

    /** After so long without any answer nothing will come, however busy the machine is. */
    private static final long STUCK_NANOS = 60_000_000_000L;

    private final Selector selector;
    private final List<LoadConnection> connections = new ArrayList<>();
    private long count;

    Load(int port, Workload workload, String prefix, int number) throws IOException {
        selector = Selector.open();
        for (int i = 0; i < number; i++) {
            SocketChannel channel =
                    SocketChannel.open(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
            LoadConnection connection = new LoadConnection(channel, workload, prefix, i);
            connections.add(connection);
            channel.register(selector, SelectionKey.OP_READ, connection);
        }
    }

    /** How many answers have come within this time; at least one is waited for. */
    long run(long nanos) throws IOException {
        long began = System.nanoTime();
        for (LoadConnection connection : connections) {
            connection.send();
        }
        long lastAnswer = began;
        for (long now = began; now - began < nanos || count == 0; now = System.nanoTime()) {
            long before = count;
            try {
                selector.select(this::answered, WAIT_MILLIS);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            if (count > before) {
                lastAnswer = now;
            } else if (now - lastAnswer > STUCK_NANOS) {
                throw new IllegalStateException("No answer for a minute.");
            }
        }
        return count;
    }

    private void answered(SelectionKey key) {
        LoadConnection connection = (LoadConnection) key.attachment();
        try {
            if (connection.receive()) {
                count++;
                connection.send();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (LoadConnection connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
