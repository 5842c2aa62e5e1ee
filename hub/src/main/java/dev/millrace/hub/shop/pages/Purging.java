package dev.millrace.hub.shop.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.proxy.Asked;
import dev.millrace.hub.http.proxy.Content;
import dev.millrace.hub.http.proxy.Turn;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;

/** Takes pages out of the cache, here and at all other hubs. Thread-safe. */
final class Purging {
    private static final Logger log = LoggerFactory.getLogger(Purging.class);
    private static final String BEARER = "bearer ";

    /** By clients who change things; more wait. */
    private static final int MOST_AT_ONCE = 64;

    private final PageStore store;
    private final Near near;
    private final Addresses addresses;
    private final Gate gate;
    private final Door door;
    private final PageFigures figures;
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);

    Purging(
            PageStore store,
            Near near,
            Addresses addresses,
            Gate gate,
            String room,
            PageFigures figures) {
        this.store = store;
        this.near = near;
        this.addresses = addresses;
        this.gate = gate;
        this.door = Door.of(Role.OPERATOR, room);
        this.figures = figures;
    }

    /** How many pages are gone; whoever asks from now on gets none of them. */
    long purge(String group) {
        near.purge(group);
        long gone = store.purge(group);
        // What was read meanwhile may be what is gone now.
        near.purge(group);
        figures.purged.increment((double) gone);
        return gone;
    }

    long purgeUrl(String host, String target) {
        return purge(Groups.url(addresses.of(host, target).group()));
    }

    /** The same for an event loop; done when it is done, or cannot be. */
    CompletionStage<?> soon(List<String> groups) {
        groups.forEach(near::purge);
        return CompletableFuture.runAsync(
                () -> {
                    places.acquireUninterruptibly();
                    try {
                        groups.forEach(this::purge);
                    } catch (RedisException | CompletionException e) {
                        log.warn(
                                "A page that was changed could not be purged. reason={}",
                                e.getMessage());
                    } finally {
                        places.release();
                    }
                },
                Thread::startVirtualThread);
    }

    // ------------------------------------------------------------------ asked for at the proxy

    /** {@code PURGE} of an address, by somebody who may. */
    Turn asked(Asked asked) {
        CompletableFuture<Turn> answer = new CompletableFuture<>();
        Thread.startVirtualThread(
                () -> {
                    try {
                        answer.complete(purgeIfAllowed(asked));
                    } catch (RedisException | CompletionException e) {
                        answer.complete(sentence(503, "Redis cannot be reached; try again."));
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                });
        return new Turn.Later(answer);
    }

    private Turn purgeIfAllowed(Asked asked) {
        if (asked.header("Origin") != null) {
            return sentence(403, "Pages of browsers cannot purge.");
        }
        if (!gate.looksAtTokens()
                && (!asked.peer().isLoopbackAddress() || asked.header("X-Forwarded-For") != null)) {
            // Who may do all on the hub's own port is only who sits on this machine.
            return sentence(
                    403,
                    "With access.mode open only this machine may purge; use access.mode token.");
        }
        return switch (gate.admit(door, token(asked), asked.peer())) {
            case Decision.Admitted admitted -> {
                long gone = purgeUrl(asked.host(), asked.target());
                yield new Turn.Give(
                        new Content(
                                200,
                                List.of(
                                        new Header("Content-Type", "application/json"),
                                        new Header("Cache-Control", "no-store")),
                                ("{\"purged\":" + gone + "}").getBytes(UTF_8)),
                        List.of());
            }
            case Decision.Unknown unknown ->
                    new Turn.Give(
                            Content.sentence(
                                    401,
                                    "To purge needs a token of an operator.",
                                    new Header("WWW-Authenticate", "Bearer")),
                            List.of());
            case Decision.Forbidden forbidden ->
                    sentence(403, "To purge needs a token of an operator.");
            case Decision.SlowDown slow -> sentence(429, slow.why());
            case Decision.Unavailable unavailable ->
                    sentence(503, "Redis cannot be reached; try again.");
        };
    }

    private static Optional<String> token(Asked asked) {
        return asked.headerOf("Authorization")
                .filter(each -> each.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(each -> each.substring(BEARER.length()).strip());
    }

    private static Turn sentence(int status, String sentence) {
        return new Turn.Give(Content.sentence(status, sentence), List.of());
    }
}
