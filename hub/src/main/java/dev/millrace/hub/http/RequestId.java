package dev.millrace.hub.http;

import io.vertx.core.http.HttpHeaders;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The name of a request, in its answer and in the log. A caller may bring one along; otherwise it
 * is a number that goes up, behind a few letters that differ from start to start.
 */
public final class RequestId {
    /** That of the request this thread works on. */
    public static final ScopedValue<String> CURRENT = ScopedValue.newInstance();

    public static final CharSequence HEADER = HttpHeaders.createOptimized("X-Request-ID");
    private static final int LONGEST = 128;
    private static final String START =
            Long.toString(ThreadLocalRandom.current().nextLong(36L * 36 * 36 * 36, 1L << 31), 36);
    private static final AtomicLong NEXT = new AtomicLong();

    private RequestId() {}

    public static String of(@Nullable String given) {
        return given != null && acceptable(given)
                ? given
                : START + "-" + Long.toString(NEXT.incrementAndGet(), 36);
    }

    /** It goes into logs and headers: nothing that could end a line there. */
    private static boolean acceptable(String given) {
        return !given.isEmpty()
                && given.length() <= LONGEST
                && given.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }
}
