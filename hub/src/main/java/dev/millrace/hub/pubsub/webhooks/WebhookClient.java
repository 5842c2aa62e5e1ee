package dev.millrace.hub.pubsub.webhooks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.outside.Call;
import dev.millrace.hub.outside.Ended;
import dev.millrace.hub.outside.Limits;
import dev.millrace.hub.outside.Line;
import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.pubsub.channels.Envelope;
import dev.millrace.hub.pubsub.config.Webhook;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends messages to webhooks by HTTP. The time of a try holds for all of it: connecting, redirects,
 * and the answer to its last byte. Thread-safe.
 */
final class WebhookClient implements AutoCloseable {
    /** One receiver that hangs must leave room for the others; see {@link WebhookSender}. */
    private static final int MOST_TO_ONE = 64;

    /** Answers that will be the same however often one asks. */
    private static final Set<Integer> HOPELESS =
            Set.of(
                    401, 402, 403, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 418, 426,
                    431, 451, 501);

    /** Of an answer, which nobody reads, before its connection is given up. */
    private static final long LONGEST = 1 << 20;

    private static final String TYPE = "Content-Type";
    private static final String JSON = "application/json";

    /** Kept connections of one webhook. */
    private record Kept(Line line, long usedNanos) {}

    private final Outside outside;

    /** By webhook; there are as many as are configured. */
    private final Map<String, Kept> lines = new ConcurrentHashMap<>();

    /** How many tries are under way, by webhook and host. */
    private final Map<String, Integer> busy = new ConcurrentHashMap<>();

    WebhookClient(Outside outside) {
        this.outside = outside;
    }

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
            return ask(webhook, body(channel, message), meanwhile);
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

    private Try ask(Webhook webhook, byte[] body, Runnable meanwhile) throws InterruptedException {
        Call call = new Call(webhook.method(), webhook.url(), webhook.headers(), body);
        boolean typed =
                webhook.headers().stream().anyMatch(each -> each.name().equalsIgnoreCase(TYPE));
        return switch (line(webhook).send(typed ? call : call.with(TYPE, JSON), meanwhile)) {
            case Ended.Answered(int status, byte[] unread) ->
                    status >= 200 && status < 300
                            ? new Try.Taken()
                            : new Try.Failed(
                                    status,
                                    "It answered " + status + ".",
                                    HOPELESS.contains(status));
            case Ended.Misled(int status, String sentence) ->
                    new Try.Failed(status, sentence, false);
            case Ended.Late() ->
                    failed(
                            "There was no answer within %d ms."
                                    .formatted(webhook.timeout().toMillis()));
            case Ended.Failed not -> failed(not.sentence());
            // What exactly is not told: it may be a header that holds a secret.
            case Ended.Impossible wrong ->
                    failed("It cannot be sent: its address or a header of it is impossible.");
            case Ended.NobodyThere(String host) -> failed("There is no machine " + host + ".");
            case Ended.Denied(InetAddress address) ->
                    failed("%s is out of bounds.".formatted(address.getHostAddress()));
        };
    }

    /** A connection that was idle for longer than the webhook wants is not used again. */
    private Line line(Webhook webhook) {
        return lines.compute(
                        webhook.id(),
                        (id, kept) -> {
                            if (kept != null
                                    && System.nanoTime() - kept.usedNanos()
                                            <= webhook.maxIdleTime().toNanos()) {
                                return new Kept(kept.line(), System.nanoTime());
                            }
                            if (kept != null) {
                                kept.line().retire();
                            }
                            return new Kept(
                                    outside.line(
                                            Limits.within(webhook.timeout())
                                                    .following(webhook.maxRedirects())
                                                    .reading(new Limits.Body.Unwanted(LONGEST))),
                                    System.nanoTime());
                        })
                .line();
    }

    private static Try failed(String reason) {
        return new Try.Failed(0, reason, false);
    }

    @Override
    public void close() {
        lines.values().forEach(kept -> kept.line().close());
    }
}
