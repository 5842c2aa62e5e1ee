package dev.millrace.bench.pubsub;

import dev.millrace.bench.race.Latencies;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a message takes from the beginning of its publishing to a long poll that waits for it,
 * at an even pace that leaves the machine room.
 */
final class Deliveries {
    private static final Pattern AT = Pattern.compile("\"at\":([0-9]+)");
    private static final Pattern HANDLE = Pattern.compile("\"ackHandle\":\"([^\"]+)\"");
    private static final long PAUSE_NANOS = 4_000_000;
    private static final long LOST_SECONDS = 120;

    private final String url;
    private final int channels;
    private final HttpClient client = HttpClient.newHttpClient();

    Deliveries(int port, int channels) {
        this.url = "http://127.0.0.1:" + port;
        this.channels = channels;
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(
                        HttpRequest.newBuilder(URI.create(url + path))
                                .method(method, BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IllegalStateException("Not done: " + answer.body());
        }
        return answer;
    }

    private static String polling(int channel) {
        return "/channel/delay-%d/subscription/polling/reader".formatted(channel);
    }

    Latencies measure(int messages) throws Exception {
        CountDownLatch missing = new CountDownLatch(messages);
        List<Future<List<Long>>> readers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < channels; i++) {
                int channel = i;
                send("PUT", polling(channel), "");
                readers.add(threads.submit(() -> read(channel, missing)));
            }
            for (int n = 0; n < messages; n++) {
                send(
                        "PUT",
                        "/channel/delay-%d/message/m-%d".formatted(n % channels, n),
                        "{\"at\":" + System.nanoTime() + "}");
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            if (!missing.await(LOST_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "%d messages did not come.".formatted(missing.getCount()));
            }
            // A poll that waits for nothing more ends when its subscriber does.
            for (int i = 0; i < channels; i++) {
                send("DELETE", polling(i), "");
            }
            List<Long> all = new ArrayList<>();
            for (Future<List<Long>> reader : readers) {
                all.addAll(reader.get());
            }
            return Latencies.of(all.stream().mapToLong(Long::longValue).toArray());
        } finally {
            client.close();
        }
    }

    private List<Long> read(int channel, CountDownLatch missing)
            throws IOException, InterruptedException {
        List<Long> nanos = new ArrayList<>();
        while (true) {
            HttpResponse<String> page =
                    client.send(
                            HttpRequest.newBuilder(
                                            URI.create(url + polling(channel) + "?timeout=30s"))
                                    .build(),
                            BodyHandlers.ofString());
            if (page.statusCode() != 200) {
                return nanos;
            }
            long now = System.nanoTime();
            Matcher at = AT.matcher(page.body());
            while (at.find()) {
                nanos.add(now - Long.parseLong(at.group(1)));
                missing.countDown();
            }
            Matcher handle = HANDLE.matcher(page.body());
            if (handle.find()) {
                send("DELETE", polling(channel) + "/message?ackHandle=" + handle.group(1), "");
            }
        }
    }
}
