package dev.millrace.hub.telemetry.bus.modbus;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds the address of a host. The system may take long for that, and cannot be interrupted, so it
 * is asked on a thread of its own, and not on one of the few that virtual threads share.
 */
final class Names {
    private Names() {}

    static InetSocketAddress resolve(String host, int port, Duration within)
            throws IOException, InterruptedException {
        CompletableFuture<InetAddress> found = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .name("find-" + host)
                .start(
                        () -> {
                            try {
                                found.complete(InetAddress.getByName(host));
                            } catch (UnknownHostException | RuntimeException e) {
                                found.completeExceptionally(e);
                            }
                        });
        try {
            return new InetSocketAddress(found.get(within.toNanos(), TimeUnit.NANOSECONDS), port);
        } catch (ExecutionException e) {
            throw new IOException("The host %s is not known.".formatted(host), e);
        } catch (TimeoutException e) {
            throw new IOException("Nobody says in time where the host %s is.".formatted(host), e);
        }
    }
}
