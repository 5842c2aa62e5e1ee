package dev.millrace.bench.readings;

import dev.millrace.bench.race.Address;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/** A few senders that post many events at once, each the next lot when the last was answered. */
final class BulkLoad implements AutoCloseable {
    static final String PATH = "/api/v1/events";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI url;
    private final int senders;
    private final int lot;

    /**
     * Nothing is sent yet.
     *
     * @param lot how many events go in one request
     */
    BulkLoad(Address server, int senders, int lot) {
        this.url = server.url(PATH);
        this.senders = senders;
        this.lot = lot;
    }

    /** Sends for so long; gives how many events were answered. */
    long run(long nanos) throws InterruptedException {
        byte[] body = Bodies.lines(0, lot, false);
        long began = System.nanoTime();
        return run(number -> body, number -> System.nanoTime() - began < nanos);
    }

    /** Sends so many events, at least, each at a time of its own; before it were so many others. */
    long fill(long before, long events) throws InterruptedException {
        return run(
                number -> Bodies.lines(Math.toIntExact(before) + number * lot, lot, true),
                number -> (long) number * lot < events);
    }

    private long run(IntFunction<byte[]> bodies, IntPredicate goes) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<Long>> going = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(senders)) {
            for (int i = 0; i < senders; i++) {
                going.add(
                        CompletableFuture.supplyAsync(
                                () -> {
                                    long sent = 0;
                                    for (int number = next.getAndIncrement();
                                            goes.test(number) || number == 0;
                                            number = next.getAndIncrement()) {
                                        mustBeTaken(bodies.apply(number));
                                        sent += lot;
                                    }
                                    return sent;
                                },
                                threads));
            }
        }
        return going.stream().mapToLong(CompletableFuture::join).sum();
    }

    private void mustBeTaken(byte[] body) {
        try {
            HttpResponse<byte[]> answer = send(body);
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(
                        "The hub did not take events in bulk: status " + answer.statusCode());
            }
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private HttpResponse<byte[]> send(byte[] body) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(url)
                        .header("Content-Type", "application/x-ndjson")
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
