package dev.millrace.bench.readings;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.keyspace.redis.options.Endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The commits of a hub, byte by byte, to be sent again as fast as Redis takes them.
 *
 * @param streams of those connections that committed something, each with its greeting
 * @param events how many events are stored when all of it was sent to an empty Redis
 */
record Recording(List<byte[]> streams, long events) {
    private static final String COMMITS = "EVALSHA";
    private static final String LAST = "the-end-of-the-recording";
    private static final int PIECE = 256 << 10;

    Recording {
        // Others may wait for something to happen, and would wait for ever.
        streams =
                streams.stream()
                        .filter(each -> new String(each, ISO_8859_1).contains(COMMITS))
                        .toList();
    }

    /** Sends all of it, pipelined without bounds, and waits for the last answer. */
    void replay(Endpoint redis) {
        List<CompletableFuture<Void>> going = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (byte[] stream : streams) {
                going.add(
                        CompletableFuture.runAsync(() -> replay(redis, stream, threads), threads));
            }
            going.forEach(CompletableFuture::join);
        }
    }

    private static void replay(Endpoint redis, byte[] stream, ExecutorService threads) {
        try (Socket socket = new Socket(redis.host(), redis.port())) {
            CompletableFuture<Void> answers =
                    CompletableFuture.runAsync(() -> readToEnd(socket), threads);
            OutputStream out = socket.getOutputStream();
            out.write(stream);
            out.write(
                    "*2\r\n$4\r\nECHO\r\n$%d\r\n%s\r\n"
                            .formatted(LAST.length(), LAST)
                            .getBytes(ISO_8859_1));
            out.flush();
            answers.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readToEnd(Socket socket) {
        byte[] piece = new byte[PIECE];
        String tail = "";
        try {
            InputStream in = socket.getInputStream();
            for (int n = in.read(piece); n > 0; n = in.read(piece)) {
                int from = Math.max(0, n - LAST.length() - 2);
                tail += new String(piece, from, n - from, ISO_8859_1);
                tail = tail.substring(Math.max(0, tail.length() - LAST.length() - 2));
                if (tail.startsWith(LAST)) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("Redis closed the connection of a recording.");
    }
}
