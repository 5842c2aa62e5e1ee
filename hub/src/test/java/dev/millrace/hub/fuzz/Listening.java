package dev.millrace.hub.fuzz;

import java.io.FilterInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * Listens to a connection until an answer must have been there. The time-out of a socket alone does
 * not do it: signs of life, now and then, would keep one waiting for ever.
 */
final class Listening extends FilterInputStream {
    private final Socket socket;
    private long until;

    Listening(Socket socket) throws IOException {
        super(new java.io.BufferedInputStream(socket.getInputStream()));
        this.socket = socket;
        again();
    }

    /** From now on the next answer is waited for. */
    void again() {
        until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Target.PATIENCE_MILLIS);
    }

    private void look() throws IOException {
        long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        if (left <= 0) {
            throw new SocketTimeoutException("There are signs of life, and no answer.");
        }
        socket.setSoTimeout((int) left);
    }

    @Override
    public int read() throws IOException {
        if (in.available() == 0) {
            look();
        }
        return super.read();
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        look();
        return super.read(bytes, from, count);
    }
}
