package dev.millrace.hub.mqtt;

import dev.millrace.hub.http.Talk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One WebSocket and one connection to the broker, byte for byte, with two virtual threads. Neither
 * side can fill our memory: while one does not read, the other is not read either.
 */
final class Bridge {
    private static final int PIECE = 16 << 10;
    private static final int MOST_WAITING = 64 << 10;

    private final Talk talk;
    private final Socket socket;
    private final BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean ended;

    Bridge(Talk talk, Socket socket) {
        this.talk = talk;
        this.socket = socket;
    }

    /** Carries what the broker says, until the connection to it is closed by one of the two. */
    void run() {
        Thread writer = Thread.startVirtualThread(this::write);
        talk.whenHeardBytes(this::hear);
        try (InputStream in = socket.getInputStream()) {
            byte[] piece = new byte[PIECE];
            for (int read = in.read(piece); read >= 0 && !ended; read = in.read(piece)) {
                awaitRoom();
                talk.say(Arrays.copyOf(piece, read));
            }
            talk.close(Talk.Why.DONE, "The broker has ended the connection.");
        } catch (IOException e) {
            talk.close(Talk.Why.TRY_LATER, "The connection to the broker was lost.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
            writer.interrupt();
        }
    }

    private void awaitRoom() throws InterruptedException {
        while (talk.full() && !ended) {
            CountDownLatch drained = new CountDownLatch(1);
            talk.whenDrained(drained::countDown);
            // It may have been drained between the two; then there is no call.
            if (talk.full()) {
                drained.await(1, TimeUnit.SECONDS);
            }
        }
    }

    /** On the loop of the WebSocket. */
    private void hear(byte[] bytes) {
        heard.add(bytes);
        if (waiting.addAndGet(bytes.length) > MOST_WAITING) {
            talk.pause();
        }
    }

    private void write() {
        try {
            OutputStream out = socket.getOutputStream();
            while (!ended) {
                byte[] bytes = heard.take();
                out.write(bytes);
                out.flush();
                if (waiting.addAndGet(-bytes.length) <= MOST_WAITING) {
                    talk.loop().execute(talk::resume);
                }
            }
        } catch (IOException e) {
            // The reader sees it too, and says so.
            ended = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
