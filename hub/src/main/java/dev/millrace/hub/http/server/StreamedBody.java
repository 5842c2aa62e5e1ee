package dev.millrace.hub.http.server;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * An answer that its handler writes like a file. Each piece is handed to the event loop, and the
 * handler waits until the client has room for the next: a slow one costs a waiting virtual thread
 * and one piece, whatever the size of the whole.
 */
final class StreamedBody extends OutputStream {
    private static final int PIECE = 32 << 10;

    /** There is nobody to write to, or nobody who reads. */
    static final class GoneException extends IOException {
        private static final long serialVersionUID = 1L;

        GoneException(String sentence) {
            super(sentence);
        }
    }

    private final Context context;
    private final HttpServerResponse response;
    private final Duration patience;
    private final BooleanSupplier begin;
    private byte[] piece = new byte[PIECE];
    private int used;
    private boolean begun;

    /**
     * A body of which nothing is sent yet.
     *
     * @param begin is called before the first piece is sent; false if nobody wants it
     */
    StreamedBody(
            Context context,
            HttpServerResponse response,
            Duration patience,
            BooleanSupplier begin) {
        this.context = context;
        this.response = response;
        this.patience = patience;
        this.begin = begin;
    }

    @Override
    public void write(int b) throws IOException {
        if (used == PIECE) {
            flush();
        }
        piece[used++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (used == PIECE) {
                flush();
            }
            int part = Math.min(PIECE - used, length - done);
            System.arraycopy(bytes, from + done, piece, used, part);
            used += part;
            done += part;
        }
    }

    @Override
    public void flush() throws IOException {
        if (used == 0) {
            return;
        }
        if (!begun) {
            begun = true;
            if (!begin.getAsBoolean()) {
                throw new GoneException("Nobody wants it any more.");
            }
        }
        Buffer full = Buffer.buffer(used == PIECE ? piece : Arrays.copyOf(piece, used));
        if (used == PIECE) {
            piece = new byte[PIECE];
        }
        used = 0;
        await(
                room -> {
                    response.write(full).onFailure(room::completeExceptionally);
                    if (response.writeQueueFull()) {
                        response.drainHandler(drained -> room.complete(null));
                    } else {
                        room.complete(null);
                    }
                });
    }

    /** Whether something of it was sent. */
    boolean hasBegun() {
        return begun;
    }

    /** What was written and not sent. */
    byte[] rest() {
        return Arrays.copyOf(piece, used);
    }

    void finish() throws IOException {
        flush();
        await(done -> response.end().onComplete(ended -> done.complete(null)));
    }

    private interface Step {
        void take(CompletableFuture<Void> done);
    }

    private void await(Step step) throws IOException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        context.runOnContext(
                now -> {
                    try {
                        if (response.closed() || response.ended()) {
                            done.completeExceptionally(new GoneException("The client has gone."));
                        } else {
                            step.take(done);
                        }
                    } catch (RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                });
        try {
            done.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new GoneException("The client has read nothing for " + patience + ".");
        } catch (ExecutionException e) {
            throw new GoneException("The client has gone.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while the client was reading.");
        }
    }
}
