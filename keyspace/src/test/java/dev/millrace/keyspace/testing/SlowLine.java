package dev.millrace.keyspace.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The network between a client and a real server, as it is on a bad day: it keeps what is on its
 * way, loses it, or delivers it late, also after the sender has long given up. Only with it can a
 * test say for certain that a request was sent and has not arrived.
 *
 * <p>{@link #hold} concerns the connections that exist at that moment; later ones work at once.
 */
public final class SlowLine implements AutoCloseable {
    private final int serverPort;
    private final ServerSocket door;
    private final List<Link> links = new CopyOnWriteArrayList<>();
    private volatile boolean refusing;

    private SlowLine(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.door = new ServerSocket(0, 50, InetAddress.ofLiteral(TestServer.HOST));
        Thread.ofVirtual().name("slow-line").start(this::accept);
    }

    public static SlowLine to(TestServer server) {
        try {
            return new SlowLine(server.port());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "redis://" + TestServer.HOST + ":" + door.getLocalPort();
    }

    /** From now on nothing that clients send on the present connections arrives. */
    public void hold() {
        links.forEach(Link::hold);
    }

    /** From now on requests arrive on the present connections, and their answers do not. */
    public void loseAnswers() {
        links.forEach(link -> link.losing = true);
    }

    /** How many bytes are kept back. */
    public int held() {
        return links.stream().mapToInt(Link::held).sum();
    }

    /** Delivers what was kept back, and goes on as usual. */
    public void release() {
        links.forEach(Link::release);
    }

    /** Breaks the present connections; what was kept back is lost. */
    public void cut() {
        links.forEach(Link::cut);
    }

    /** Lets nobody connect until told otherwise. */
    public void refuse(boolean yes) {
        refusing = yes;
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                if (refusing) {
                    client.close();
                } else {
                    links.add(
                            new Link(
                                    client,
                                    new Socket(
                                            InetAddress.ofLiteral(TestServer.HOST), serverPort)));
                }
            } catch (IOException e) {
                // Closed, or the server is away: the client sees a connection that ends.
            }
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

    private static final class Link {
        private final Socket client;
        private final Socket server;
        private final ReentrantLock lock = new ReentrantLock();
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private boolean holding;
        private boolean clientGone;
        private volatile boolean losing;

        Link(Socket client, Socket server) throws IOException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Thread.ofVirtual().start(this::requests);
            Thread.ofVirtual().start(this::replies);
        }

        void hold() {
            lock.lock();
            try {
                holding = true;
            } finally {
                lock.unlock();
            }
        }

        int held() {
            lock.lock();
            try {
                return kept.size();
            } finally {
                lock.unlock();
            }
        }

        void release() {
            lock.lock();
            try {
                holding = false;
                kept.writeTo(server.getOutputStream());
                kept.reset();
                if (clientGone) {
                    server.shutdownOutput();
                }
            } catch (IOException e) {
                // The server has given this connection up meanwhile.
            } finally {
                lock.unlock();
            }
        }

        void cut() {
            lock.lock();
            try {
                kept.reset();
                client.close();
                server.close();
            } catch (IOException e) {
                // Broken is what it is meant to be.
            } finally {
                lock.unlock();
            }
        }

        private void requests() {
            byte[] buffer = new byte[64 * 1024];
            try {
                InputStream in = client.getInputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    pass(buffer, n);
                }
            } catch (IOException e) {
                // The same as an end.
            }
            end();
        }

        private void pass(byte[] buffer, int count) throws IOException {
            lock.lock();
            try {
                if (holding) {
                    kept.write(buffer, 0, count);
                } else {
                    server.getOutputStream().write(buffer, 0, count);
                }
            } finally {
                lock.unlock();
            }
        }

        private void end() {
            lock.lock();
            try {
                clientGone = true;
                if (!holding) {
                    server.shutdownOutput();
                }
            } catch (IOException e) {
                // Ended by the server already.
            } finally {
                lock.unlock();
            }
        }

        private void replies() {
            byte[] buffer = new byte[64 * 1024];
            try (client) {
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (!losing) {
                        out.write(buffer, 0, n);
                    }
                }
            } catch (IOException e) {
                // The client has given up; the requests it sent stay on their way.
            }
        }
    }
}
