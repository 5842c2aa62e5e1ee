package dev.millrace.keyspace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.SSLServerSocket;

/**
 * Takes encrypted connections and passes them on to a server in the clear, as sites do whose Redis
 * was built without TLS; the one that tests use is.
 */
public final class TlsDoor implements AutoCloseable {
    private final TestServer server;
    private final SSLServerSocket door;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /**
     * Opens it.
     *
     * @param client whose certificate is asked for
     */
    public TlsDoor(TestServer server, TestCertificates certificates, String name, String client) {
        this.server = server;
        try {
            this.door =
                    (SSLServerSocket)
                            certificates
                                    .server(name, client)
                                    .getServerSocketFactory()
                                    .createServerSocket(
                                            0, 50, InetAddress.ofLiteral(TestServer.HOST));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("tls-door").start(this::accept);
    }

    /** From now on nobody gets in without the client's certificate. */
    public TlsDoor asking() {
        door.setNeedClientAuth(true);
        return this;
    }

    public int port() {
        return door.getLocalPort();
    }

    /** Every connection is cut. */
    public void cut() {
        open.forEach(TlsDoor::end);
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket outside = door.accept();
                Socket inside = new Socket(server.host(), server.port());
                open.add(outside);
                open.add(inside);
                Thread.ofVirtual().start(() -> pass(outside, inside));
                Thread.ofVirtual().start(() -> pass(inside, outside));
            } catch (IOException e) {
                // closed, or somebody who does not get in
            }
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one side has gone; the other follows
        } finally {
            open.remove(from);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone already
        }
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
