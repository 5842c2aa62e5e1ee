package dev.millrace.hub.site.locks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Locks by name, for this hub and for every other program that knows the key. The value of the key
 * is the token: owner, colon, time. Whoever shows the same token may renew or release the lock, and
 * nobody else may. Beside it stands a fence, a number that grows with every holder; what is guarded
 * by the lock can carry it, and refuse an older one.
 *
 * <p>A lock that somebody has set without a time to live is held until he deletes it. Thread-safe.
 */
public final class Locks {
    static final Duration SHORTEST = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofMinutes(10);
    static final Duration STANDARD = Duration.ofSeconds(30);

    /** A fence is never below the time, so what is forgotten after this does no harm. */
    private static final Duration FENCE_KEPT = Duration.ofDays(7);

    /** Times of so many digits are in seconds: others write them so. */
    private static final int DIGITS_OF_SECONDS = 11;

    private static final Script ACQUIRE = Script.of(Locks.class, "acquire");
    private static final Script RELEASE = Script.emptying(Locks.class, "release");
    private static final Script RENEW = Script.of(Locks.class, "renew");
    private static final Script LOOK = Script.reading(Locks.class, "look");

    private final Keyspace keyspace;
    private final InstantSource clock;

    public Locks(Keyspace keyspace, InstantSource clock) {
        this.keyspace = keyspace;
        this.clock = clock;
    }

    /** What came of trying to take a lock. */
    public sealed interface Taken {
        /**
         * It is ours.
         *
         * @param token to renew and release it by
         */
        record Ours(String token, long fence) implements Taken {}

        /** Another one has it. */
        record Held(Holder by) implements Taken {}
    }

    /**
     * Who holds a lock.
     *
     * @param owner all of the value, if somebody has written it in his own way
     * @param since empty if the value does not say
     * @param left empty if it never expires
     * @param fence empty if it was taken without one
     */
    public record Holder(
            String owner, Optional<Instant> since, Optional<Duration> left, OptionalLong fence) {}

    /**
     * Takes a lock that nobody holds.
     *
     * @param owner without a colon; of this acquisition alone
     */
    public Taken acquire(String resource, String owner, Duration time) {
        String token = owner + ":" + clock.millis();
        List<?> reply =
                list(
                        wait(
                                keyspace.call(
                                        ACQUIRE,
                                        keys(resource),
                                        bytes(token),
                                        bytes(time.toMillis()),
                                        bytes(FENCE_KEPT.toMillis()))));
        return number(reply.getFirst()) == 1
                ? new Taken.Ours(token, number(reply.get(1)))
                : new Taken.Held(
                        holder(text(reply.get(1)), number(reply.get(2)), OptionalLong.empty()));
    }

    /** Gives it back; false if it is not held by this token. */
    public boolean release(String resource, String token) {
        return number(wait(keyspace.call(RELEASE, List.of(lock(resource)), bytes(token)))) == 1;
    }

    /** Holds it so long from now on; false if it is not held by this token. */
    public boolean renew(String resource, String token, Duration time) {
        return number(
                        wait(
                                keyspace.call(
                                        RENEW,
                                        List.of(lock(resource)),
                                        bytes(token),
                                        bytes(time.toMillis()))))
                == 1;
    }

    /** Who holds it; empty if nobody does. */
    public Optional<Holder> holder(String resource) {
        Object reply = wait(keyspace.ask(LOOK, keys(resource)));
        if (!(reply instanceof List<?> parts) || parts.isEmpty()) {
            return Optional.empty();
        }
        String fence = text(parts.get(2));
        return Optional.of(
                holder(
                        text(parts.get(0)),
                        number(parts.get(1)),
                        fence.isEmpty()
                                ? OptionalLong.empty()
                                : OptionalLong.of(number(parts.get(2)))));
    }

    private static Holder holder(String value, long left, OptionalLong fence) {
        int colon = value.lastIndexOf(':');
        String time = colon < 0 ? "" : value.substring(colon + 1);
        boolean known = time.matches("[0-9]{1,15}");
        return new Holder(
                known ? value.substring(0, colon) : value,
                known ? Optional.of(instant(time)) : Optional.empty(),
                left < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(left)),
                fence);
    }

    private static Instant instant(String time) {
        long number = Long.parseLong(time);
        return time.length() <= DIGITS_OF_SECONDS
                ? Instant.ofEpochSecond(number)
                : Instant.ofEpochMilli(number);
    }

    private static Cell.Key lock(String resource) {
        return LocksLayouts.LOCK.at(resource);
    }

    private static List<Cell.Key> keys(String resource) {
        return List.of(lock(resource), LocksLayouts.FENCE.at(resource));
    }

    private static @Nullable Object wait(CompletableFuture<@Nullable Object> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RedisException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list;
        }
        throw new IllegalStateException("Redis has answered something else than a list.");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
    }

    private static long number(@Nullable Object reply) {
        return reply instanceof Long number ? number : Long.parseLong(text(reply));
    }
}
