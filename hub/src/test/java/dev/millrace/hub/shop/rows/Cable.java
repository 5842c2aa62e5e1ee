package dev.millrace.hub.shop.rows;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Between two programs. Connections through it can go dead without either side being told. */
final class Cable implements AutoCloseable {
    private final ServerSocket near;
    private final int far;
    private final Map<Socket, Socket> connections = new ConcurrentHashMap<>();
    private final Set<Socket> dead = ConcurrentHashMap.newKeySet();

    /**
     * To another port of this machine.
     *
     * @param far that port
     */
    Cable(int far) {
        this.far = far;
        try {
            near = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::accept);
    }

    int port() {
        return near.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket one = near.accept();
                Socket other = new Socket(InetAddress.getLoopbackAddress(), far);
                connections.put(one, other);
                Thread.startVirtualThread(() -> pass(one, one, other));
                Thread.startVirtualThread(() -> pass(one, other, one));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void pass(Socket name, Socket from, Socket to) {
        byte[] piece = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                if (!dead.contains(name)) {
                    out.write(piece, 0, length);
                }
            }
        } catch (IOException e) {
            // Closed at one end.
        } finally {
            if (!dead.contains(name)) {
                end(from);
                end(to);
            }
        }
    }

    /** Nothing comes through the connections that there are any more; new ones work. */
    void cut() {
        dead.addAll(connections.keySet());
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            near.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach((one, other) -> List.of(one, other).forEach(Cable::end));
    }
}
