package dev.millrace.hub.outside;

import dev.millrace.hub.settings.Network;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connections to other servers that are kept while it is open. Redirects are followed here and not
 * by Java's client, which has one limit for all and would send headers with secrets on to another
 * host; nothing is sent on from https to http. Thread-safe.
 */
public final class Line implements AutoCloseable {
    /** How often somebody who waits for an answer can do something else. */
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Limits limits;
    private final HttpClient client;

    Line(Limits limits, Executor threads) {
        this.limits = limits;
        HttpClient.Builder building =
                HttpClient.newBuilder()
                        .version(limits.version())
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .executor(threads);
        limits.connectTime().ifPresent(building::connectTimeout);
        this.client = building.build();
    }

    /** Says it, and waits for the answer. */
    public Ended send(Call call) throws InterruptedException {
        return send(call, () -> {});
    }

    /**
     * The same.
     *
     * @param meanwhile done every few seconds while the answer takes its time
     */
    public Ended send(Call call, Runnable meanwhile) throws InterruptedException {
        long end = System.nanoTime() + limits.time().toNanos();
        Call now = call;
        for (int redirects = 0; ; redirects++) {
            HttpResponse<byte[]> answer;
            try {
                Optional<InetAddress> denied = denied(now.url());
                if (denied.isPresent()) {
                    return new Ended.Denied(denied.get());
                }
                answer = ask(now, end, meanwhile);
            } catch (UnknownHostException e) {
                return new Ended.NobodyThere(String.valueOf(e.getMessage()));
            } catch (TimeoutException e) {
                return new Ended.Late();
            } catch (ExecutionException e) {
                return new Ended.Failed(e.getCause() == null ? e : e.getCause());
            } catch (IllegalArgumentException e) {
                return new Ended.Impossible(String.valueOf(e.getMessage()));
            }
            int status = answer.statusCode();
            if (!Redirect.is(status)
                    || !(limits.redirects() instanceof Limits.Redirects.Followed(int most))) {
                return new Ended.Answered(status, answer.body());
            }
            if (redirects == most) {
                return new Ended.Misled(
                        status, "It redirects more than %d times.".formatted(redirects));
            }
            switch (Redirect.of(answer, now.url())) {
                case Redirect.Nowhere(String why) -> {
                    return new Ended.Misled(status, why);
                }
                case Redirect.To to -> now = now.redirected(to);
            }
        }
    }

    /** Java remembers for a while what a name stands for, so its client will get the same. */
    private Optional<InetAddress> denied(URI url) throws UnknownHostException {
        if (limits.denied().isEmpty()) {
            return Optional.empty();
        }
        for (InetAddress address : InetAddress.getAllByName(url.getHost())) {
            for (Network each : limits.denied()) {
                if (each.contains(address)) {
                    return Optional.of(address);
                }
            }
        }
        return Optional.empty();
    }

    private HttpResponse<byte[]> ask(Call call, long end, Runnable meanwhile)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<HttpResponse<byte[]>> going = client.sendAsync(call.request(), reading());
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

    private BodyHandler<byte[]> reading() {
        return switch (limits.answer()) {
            case Limits.Body.Wanted(int largest) ->
                    BodyHandlers.limiting(BodyHandlers.ofByteArray(), largest);
            case Limits.Body.Unwanted(long longest) -> answer -> new Drain(longest);
        };
    }

    /** Sends nothing more; what is under way goes on. */
    public void retire() {
        client.shutdown();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
