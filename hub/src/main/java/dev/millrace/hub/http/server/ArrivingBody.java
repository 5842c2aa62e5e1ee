package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A body that its handler reads like a file while it arrives. What was not read yet is bounded:
 * above that the client is not listened to, so that a fast one waits for the handler, and whoever
 * sends without end costs a piece of memory and a waiting virtual thread.
 *
 * <p>Pieces come in on the event loop and go out to one reading thread.
 */
final class ArrivingBody extends InputStream {
    /** Enough that the reader finds something while the loop is busy with others. */
    private static final int ROOM = 256 << 10;

    private final HttpServerRequest raw;
    private final Loop loop;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    /** Guarded by the lock, like all that follow. */
    private final Deque<byte[]> pieces = new ArrayDeque<>();

    private int waiting;
    private boolean paused;
    private boolean ended;
    private @Nullable Problem stop;

    /** Of the reading thread: the piece it is in, and how far. */
    private byte[] piece = {};

    private int at;

    ArrivingBody(HttpServerRequest raw, Loop loop, Duration patience) {
        this.raw = raw;
        this.loop = loop;
        this.patience = patience;
    }

    /** On the event loop. */
    void listen() {
        raw.handler(this::add);
        raw.endHandler(all -> change(() -> ended = true));
    }

    private void add(Buffer chunk) {
        change(
                () -> {
                    pieces.add(chunk.getBytes());
                    waiting += chunk.length();
                    if (waiting > ROOM && !paused) {
                        paused = true;
                        raw.pause();
                    }
                });
    }

    /** Whoever reads gets this instead of the rest. */
    void stop(Problem why) {
        change(() -> stop = why);
    }

    private void change(Runnable step) {
        lock.lock();
        try {
            step.run();
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        return fill() ? piece[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int part = Math.min(length, piece.length - at);
        System.arraycopy(piece, at, target, from, part);
        at += part;
        return part;
    }

    /** What can be read without waiting; 0 also at the end. */
    @Override
    public int available() {
        lock.lock();
        try {
            return piece.length - at + waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Makes sure that there is a byte; false at the end. */
    private boolean fill() throws IOException {
        while (at == piece.length) {
            byte[] next = take();
            if (next == null) {
                return false;
            }
            piece = next;
            at = 0;
        }
        return true;
    }

    private byte @Nullable [] take() throws IOException {
        lock.lock();
        try {
            long left = patience.toNanos();
            while (pieces.isEmpty() && !ended && stop == null) {
                if (left <= 0) {
                    throw Problem.of(Code.TOO_SLOW);
                }
                left = news.awaitNanos(left);
            }
            if (stop != null) {
                throw stop;
            }
            byte[] next = pieces.poll();
            if (next != null) {
                waiting -= next.length;
                if (paused && waiting < ROOM / 2) {
                    paused = false;
                    loop.execute(raw::resume);
                }
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while the client was sending.");
        } finally {
            lock.unlock();
        }
    }
}
