package dev.millrace.keyspace.redis;

import static org.assertj.core.api.Assertions.fail;

import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests of a test, and what became of them. */
final class Sent {
    /** Far away: only a request that nobody will ever answer reaches it. */
    private static final long CAP_SECONDS = 120;

    private Sent() {}

    static Request write(String... words) {
        return Request.writing(0, 0, bytes(words));
    }

    static Request read(String... words) {
        return Request.reading(0, 0, bytes(words));
    }

    private static byte[][] bytes(String... words) {
        byte[][] parts = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            parts[i] = words[i].getBytes(StandardCharsets.UTF_8);
        }
        return parts;
    }

    /** Sends; a request that is refused at once is a future that has failed. */
    static CompletableFuture<@Nullable Object> send(Redis redis, Request request) {
        try {
            return redis.send(request);
        } catch (RedisException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    static Outcome<String> outcome(Redis redis, Request request) {
        return outcome(send(redis, request));
    }

    /** What became of it, with numbers and status replies as text; fails if nobody answers. */
    static Outcome<String> outcome(CompletableFuture<@Nullable Object> answer) {
        try {
            return Outcome.done(text(answer.get(CAP_SECONDS, TimeUnit.SECONDS)));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RedisException failure) {
                return Outcome.failed(failure);
            }
            throw new AssertionError(
                    "A request ended with something that is not a valid outcome.", e);
        } catch (TimeoutException e) {
            return fail("A request was never answered.", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Outcome<String>> outcomes(List<CompletableFuture<@Nullable Object>> answers) {
        return answers.stream().map(Sent::outcome).toList();
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : String.valueOf(reply);
    }

    static boolean unknown(Outcome<?> outcome) {
        return outcome instanceof Outcome.Unknown<?>;
    }

    static boolean unavailable(Outcome<?> outcome) {
        return outcome.failedBy(Reason.UNAVAILABLE);
    }
}
