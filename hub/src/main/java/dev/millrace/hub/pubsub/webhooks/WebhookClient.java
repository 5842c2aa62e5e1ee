package dev.millrace.hub.pubsub.webhooks;

import dev.millrace.hub.pubsub.channels.Envelope;
import dev.millrace.hub.pubsub.config.Webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.http.Header;

import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends messages to webhooks by HTTP. The time of a try holds for all of it: connecting, redirects,
 * and the answer to its last byte. Thread-safe.
 *
 * <p>Redirects are followed here and not by Java's client, which has one limit for all. The headers
 * of the configuration may hold secrets, so they are not sent on to another host, and nothing is
 * sent on from https to http.
 */
final class WebhookClient implements AutoCloseable {
    /** One receiver that hangs must leave room for the others; see {@link WebhookSender}. */
    private static final int MOST_TO_ONE = 64;

    /** Answers that will be the same however often one asks. */
    private static final Set<Integer> HOPELESS =
            Set.of(
                    401, 402, 403, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 418, 426,
                    431, 451, 501);

    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final String TYPE = "Content-Type";

    /** Kept connections of one webhook. */
    private record Line(HttpClient client, long usedNanos) {
        Line used() {
            return new Line(client, System.nanoTime());
        }
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** By webhook; there are as many as are configured. */
    private final Map<String, Line> lines = new ConcurrentHashMap<>();

    /** How many tries are under way, by webhook and host. */
    private final Map<String, Integer> busy = new ConcurrentHashMap<>();

    /**
     * Sends a message once.
     *
     * @param meanwhile done every few seconds while the receiver takes its time
     */
    Try send(Webhook webhook, String channel, Envelope message, Runnable meanwhile)
            throws InterruptedException {
        String target = webhook.id() + " " + webhook.url().getAuthority();
        int most = Math.min(webhook.maxConnections(), MOST_TO_ONE);
        boolean[] admitted = {false};
        busy.compute(
                target,
                (name, count) -> {
                    int now = count == null ? 0 : count;
                    admitted[0] = now < most;
                    return admitted[0] ? Integer.valueOf(now + 1) : count;
                });
        if (!admitted[0]) {
            return new Try.Busy();
        }
        try {
            return follow(webhook, body(channel, message), meanwhile);
        } finally {
            busy.computeIfPresent(target, (name, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Ids are plain letters, so they need no quoting. */
    static byte[] body(String channel, Envelope message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(128 + message.bytes().length);
        String head =
                "{\"type\":\"dsps.channel.outgoing-webhook\",\"channelID\":\"%s\",\"messageID\":\"%s\",\"content\":"
                        .formatted(channel, message.id());
        out.writeBytes(head.getBytes(US_ASCII));
        int length = message.content().to() - message.content().from();
        out.write(message.bytes(), message.content().from(), length);
        out.write('}');
        return out.toByteArray();
    }

    private Try follow(Webhook webhook, byte[] body, Runnable meanwhile)
            throws InterruptedException {
        long end = System.nanoTime() + webhook.timeout().toNanos();
        URI url = webhook.url();
        String method = webhook.method();
        BodyPublisher content = BodyPublishers.ofByteArray(body);
        for (int redirects = 0; ; redirects++) {
            HttpResponse<Void> answer;
            try {
                answer = ask(webhook, request(webhook, url, method, content), end, meanwhile);
            } catch (TimeoutException e) {
                return failed(
                        "There was no answer within %d ms."
                                .formatted(webhook.timeout().toMillis()));
            } catch (ExecutionException e) {
                return failed(reason(e.getCause() == null ? e : e.getCause()));
            } catch (IllegalArgumentException e) {
                // What exactly is not told: it may be a header that holds a secret.
                return failed("It cannot be sent: its address or a header of it is impossible.");
            }
            int status = answer.statusCode();
            if (status >= 200 && status < 300) {
                return new Try.Taken();
            }
            if (!Redirect.is(status)) {
                return new Try.Failed(
                        status, "It answered " + status + ".", HOPELESS.contains(status));
            }
            if (redirects == webhook.maxRedirects()) {
                return new Try.Failed(
                        status, "It redirects more than %d times.".formatted(redirects), false);
            }
            switch (Redirect.of(answer, url)) {
                case Redirect.Nowhere(String why) -> {
                    return new Try.Failed(status, why, false);
                }
                case Redirect.To(URI next, boolean same) -> {
                    url = next;
                    method = same ? method : "GET";
                    content = same ? content : BodyPublishers.noBody();
                }
            }
        }
    }

    private static HttpRequest request(
            Webhook webhook, URI url, String method, BodyPublisher content) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url).method(method, content);
        boolean home = url.getAuthority().equals(webhook.url().getAuthority());
        boolean typed = false;
        for (Header header : webhook.headers()) {
            boolean isType = header.name().equalsIgnoreCase(TYPE);
            if (home || isType) {
                request.header(header.name(), header.value());
            }
            typed |= isType;
        }
        if (!typed) {
            request.header(TYPE, "application/json");
        }
        return request.build();
    }

    private HttpResponse<Void> ask(
            Webhook webhook, HttpRequest request, long end, Runnable meanwhile)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<HttpResponse<Void>> going =
                client(webhook).sendAsync(request, answer -> new Drain());
        try {
            while (true) {
                long left = end - System.nanoTime();
                try {
                    return going.get(Math.clamp(left, 0, STEP_NANOS), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (left <= STEP_NANOS) {
                        throw e;
                    }
                    meanwhile.run();
                }
            }
        } finally {
            going.cancel(true);
        }
    }

    /** A connection that was idle for longer than the webhook wants is not used again. */
    private HttpClient client(Webhook webhook) {
        return lines.compute(
                        webhook.id(),
                        (id, line) -> {
                            if (line != null
                                    && System.nanoTime() - line.usedNanos()
                                            <= webhook.maxIdleTime().toNanos()) {
                                return line.used();
                            }
                            if (line != null) {
                                line.client().shutdown();
                            }
                            HttpClient client =
                                    HttpClient.newBuilder()
                                            .version(HttpClient.Version.HTTP_1_1)
                                            .followRedirects(HttpClient.Redirect.NEVER)
                                            .executor(threads)
                                            .build();
                            return new Line(client, System.nanoTime());
                        })
                .client();
    }

    /** Some failures of the JDK have no words, and the name of a class says nothing to a person. */
    private static String reason(Throwable failure) {
        if (failure instanceof ConnectException) {
            return "It was not reached.";
        }
        String message = failure.getMessage();
        return message == null || message.isEmpty()
                ? "It was not reached, or gave no answer."
                : "It was not reached, or gave no answer: " + message;
    }

    private static Try failed(String reason) {
        return new Try.Failed(0, reason, false);
    }

    @Override
    public void close() {
        lines.values().forEach(line -> line.client().shutdownNow());
        threads.shutdownNow();
    }
}
