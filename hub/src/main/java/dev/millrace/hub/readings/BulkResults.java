package dev.millrace.hub.readings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.readings.arriving.Refused;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The results of many events on their way to the client. A thread of its own hands them over, for
 * many clients read nothing before they have sent everything: up to {@link #PIECES} pieces wait for
 * them, and only then the sending is held up. For one writing thread.
 */
final class BulkResults implements AutoCloseable {
    private static final int PIECE = 8 << 10;

    /** Four megabytes: the results of about seventy thousand events. */
    private static final int PIECES = 512;

    private static final byte[] END = {};
    private static final byte[] STORED_HEAD = "{\"status\":200,\"id\":\"".getBytes(UTF_8);
    private static final byte[] STORED_TAIL = "\"}".getBytes(UTF_8);

    private final OutputStream out;
    private final boolean array;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(PIECES);
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream(PIECE + 256);
    private final Thread sender;
    private volatile @Nullable IOException failure;
    private boolean first = true;

    BulkResults(OutputStream out, boolean array) {
        this.out = out;
        this.array = array;
        this.sender = Thread.ofVirtual().name("bulk-results").start(this::send);
    }

    void stored(String id) throws IOException {
        begin();
        piece.writeBytes(STORED_HEAD);
        piece.writeBytes(id.getBytes(UTF_8));
        piece.writeBytes(STORED_TAIL);
        end();
    }

    /** With the status that the event would have got alone. */
    void refused(Refused why) throws IOException {
        refused(ReadingsErrors.USUAL.status(why), why.sentence().strip());
    }

    void refused(int status, String error) throws IOException {
        begin();
        piece.writeBytes(EdgexJson.MAPPER.writeValueAsBytes(new BulkApi.Result(status, "", error)));
        end();
    }

    private void begin() {
        if (array) {
            piece.write(first ? '[' : ',');
        }
        first = false;
    }

    private void end() throws IOException {
        if (!array) {
            piece.write('\n');
        }
        if (piece.size() >= PIECE) {
            push();
        }
    }

    /** Sends what there is: nothing more may come for a while. */
    void push() throws IOException {
        if (piece.size() > 0) {
            put(piece.toByteArray());
            piece.reset();
        }
    }

    private void put(byte[] bytes) throws IOException {
        patiently(() -> waiting.put(bytes));
    }

    private interface Wait {
        void run() throws InterruptedException;
    }

    private void patiently(Wait wait) throws IOException {
        try {
            wait.run();
        } catch (InterruptedException e) {
            sender.interrupt();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while the client was to read.");
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void send() {
        try {
            while (true) {
                byte[] next = waiting.take();
                if (next.length == 0) {
                    return;
                }
                out.write(next);
                if (waiting.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            failure = e;
            waiting.clear();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything was handed over, or it throws. */
    @Override
    public void close() throws IOException {
        if (array) {
            piece.writeBytes((first ? "[]\n" : "]\n").getBytes(UTF_8));
        }
        push();
        put(END);
        patiently(sender::join);
    }
}
