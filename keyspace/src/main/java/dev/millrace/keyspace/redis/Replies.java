package dev.millrace.keyspace.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Turns raw replies into what the engine works with. */
public final class Replies {
    /** Every whole number of so many digits is a double. */
    private static final int EXACT_DIGITS = 15;

    private Replies() {}

    /** The answer; null if the key holds another type, which is reported where it lies. */
    public static @Nullable Object unlessOtherType(Request request) {
        try {
            return request.await();
        } catch (RedisException e) {
            if (e.reason() == Reason.WRONG_TYPE) {
                return null;
            }
            throw e;
        }
    }

    public static List<?> list(@Nullable Object reply) {
        return reply == null ? List.of() : (List<?>) reply;
    }

    public static @Nullable String text(@Nullable Object reply) {
        return reply == null ? null : new String((byte[]) reply, UTF_8);
    }

    public static String textOrEmpty(@Nullable Object reply) {
        String text = text(reply);
        return text == null ? "" : text;
    }

    /** Bytes, none if there are none. */
    public static byte[] bytes(@Nullable Object reply) {
        return reply == null ? new byte[0] : (byte[]) reply;
    }

    public static long number(@Nullable Object reply) {
        return reply == null ? 0 : (Long) reply;
    }

    /** A score; most are whole numbers, which need no care. */
    public static double score(@Nullable Object reply) {
        byte[] digits = bytes(reply);
        if (digits.length == 0 || digits.length > EXACT_DIGITS) {
            return Double.parseDouble(textOrEmpty(reply));
        }
        long number = 0;
        for (byte digit : digits) {
            if (digit < '0' || digit > '9') {
                return Double.parseDouble(textOrEmpty(reply));
            }
            number = 10 * number + digit - '0';
        }
        return (double) number;
    }

    public static boolean isPresent(@Nullable Object reply) {
        return reply instanceof byte[] || (reply instanceof Long number && number != 0);
    }
}
