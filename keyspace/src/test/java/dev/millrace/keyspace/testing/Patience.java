package dev.millrace.keyspace.testing;

import dev.millrace.keyspace.redis.options.RedisOptions;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.time.Duration;

/**
 * How all tests wait, if they say nothing else: for long, since only a hang is to reach the end,
 * and asking often at first, since most conditions hold after a moment. Found by JUnit itself, see
 * {@code junit-platform.properties}. Requests to Redis wait as long: a busy machine may stand still
 * for longer than a product should make its callers wait.
 */
public final class Patience implements BeforeAllCallback {
    private static final Duration CAP = Duration.ofMinutes(2);
    private static final int STEP_MILLIS = 5;
    private static final int LONGEST_MILLIS = 50;

    /**
     * A Redis at this address, for tests that are not about a server that makes its callers wait.
     */
    public static RedisOptions options(String url) {
        return RedisOptions.of(url).withTimes(CAP, CAP);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(CAP);
        Awaitility.setDefaultPollInterval(
                (count, before) ->
                        Duration.ofMillis(Math.min(LONGEST_MILLIS, count * STEP_MILLIS)));
    }
}
