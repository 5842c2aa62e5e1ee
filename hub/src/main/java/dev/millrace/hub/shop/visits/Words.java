package dev.millrace.hub.shop.visits;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** What scripts of the shop are told, and what they answer. */
public final class Words {
    private Words() {}

    public static byte[] text(String text) {
        return text.getBytes(UTF_8);
    }

    public static byte[] number(long number) {
        return text(Long.toString(number));
    }

    public static byte[] flag(boolean set) {
        return text(set ? "1" : "0");
    }

    /** Whole seconds; what is shorter is not nothing. */
    public static byte[] seconds(Duration time) {
        return number(Math.max(1, time.toSeconds()));
    }

    /** Microseconds since 1970. */
    public static long micros(InstantSource clock) {
        Instant now = clock.instant();
        return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1000;
    }

    /** A time as a score: seconds since 1970. */
    public static byte[] score(long micros) {
        return text(String.format(Locale.ROOT, "%.6f", (double) micros / 1_000_000));
    }

    public static Instant instant(double seconds) {
        return Instant.EPOCH.plus(Math.round(seconds * 1_000_000), ChronoUnit.MICROS);
    }

    /**
     * The answer of a script.
     *
     * @throws RedisException as it is
     */
    public static @Nullable Object await(CompletableFuture<@Nullable Object> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RedisException failure) {
                throw failure;
            }
            throw e;
        }
    }

    public static List<?> list(@Nullable Object reply) {
        return reply instanceof List<?> list ? list : List.of();
    }

    /** Empty text where there is none. */
    public static String textOf(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : "";
    }

    public static long numberOf(@Nullable Object reply) {
        return reply instanceof Long number ? number : 0;
    }

    /** What another program wrote may be anything. */
    public static OptionalDouble decimal(String text) {
        try {
            return text.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    public static OptionalLong whole(String text) {
        try {
            return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    public static Optional<Instant> time(String seconds) {
        OptionalDouble at = decimal(seconds);
        return at.isPresent() && Math.abs(at.getAsDouble()) < 1e11
                ? Optional.of(instant(at.getAsDouble()))
                : Optional.empty();
    }
}
