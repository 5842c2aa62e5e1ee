package dev.millrace.bench.bus;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device that speaks as much Modbus TCP as it takes to be read: every register has another value
 * in each answer.
 */
final class Registers implements AutoCloseable {
    private static final int HEADER = 7;

    private final ServerSocket server;
    private final AtomicLong reads;

    /**
     * Begins to listen.
     *
     * @param reads counts the registers that were asked for
     */
    Registers(AtomicLong reads) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.reads = reads;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void serve(Socket socket) {
        short turn = 0;
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                short transaction = in.readShort();
                in.readShort();
                byte[] body = new byte[in.readUnsignedShort()];
                in.readFully(body);
                int count = ByteBuffer.wrap(body).getShort(4);
                reads.addAndGet(count);
                ByteBuffer answer = ByteBuffer.allocate(HEADER + 2 + 2 * count);
                answer.putShort(transaction).putShort((short) 0).putShort((short) (3 + 2 * count));
                answer.put(body[0]).put(body[1]).put((byte) (2 * count));
                turn++;
                for (int i = 0; i < count; i++) {
                    answer.putShort((short) (turn + i));
                }
                socket.getOutputStream().write(answer.array());
            }
        } catch (IOException e) {
            // The hub has ended.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
