package dev.millrace.bench.readings;

import dev.millrace.keyspace.redis.options.Endpoint;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Sits between a hub and Redis and writes down every byte that the hub sends, connection by
 * connection. What it has written down can be sent again by somebody who does nothing else: that is
 * what Redis could do if nobody had to read HTTP and JSON.
 */
final class Tap implements AutoCloseable {
    private static final int PIECE = 64 << 10;

    private final ServerSocket door;
    private final Endpoint redis;
    private final List<ByteArrayOutputStream> heard = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    Tap(Endpoint redis) throws IOException {
        this.redis = redis;
        this.door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("tap").start(this::open);
    }

    int port() {
        return door.getLocalPort();
    }

    private void open() {
        try {
            while (true) {
                Socket hub = door.accept();
                Socket server = new Socket(redis.host(), redis.port());
                hub.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                sockets.add(hub);
                sockets.add(server);
                ByteArrayOutputStream said = new ByteArrayOutputStream();
                heard.add(said);
                pump(hub.getInputStream(), server.getOutputStream(), said);
                pump(server.getInputStream(), hub.getOutputStream(), null);
            }
        } catch (IOException e) {
            // Closed: the hub is gone, or never comes.
        }
    }

    private static void pump(
            InputStream from, OutputStream to, @Nullable ByteArrayOutputStream copy) {
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            byte[] piece = new byte[PIECE];
                            try {
                                for (int n = from.read(piece); n > 0; n = from.read(piece)) {
                                    if (copy != null) {
                                        copy.write(piece, 0, n);
                                    }
                                    to.write(piece, 0, n);
                                }
                            } catch (IOException e) {
                                // One side has gone; the other one will notice.
                            }
                        });
    }

    /** What every connection has sent; the hub should be gone by then. */
    List<byte[]> heard() {
        return heard.stream().map(ByteArrayOutputStream::toByteArray).toList();
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
