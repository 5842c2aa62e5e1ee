package dev.millrace.hub.work;

import dev.millrace.hub.notifications.delivery.NotificationsSettings;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before something is sent again: twice as long each time, up to a bound, and a
 * fifth more or less, so that what failed together does not come back together.
 *
 * @param limit how often something is sent again
 */
public record BackOff(int limit, Duration first, Duration longest) {
    private static final double JITTER = 0.2;
    private static final int MOST_DOUBLINGS = 30;

    public static BackOff of(NotificationsSettings.Sending sending) {
        return new BackOff(sending.resendLimit(), sending.resendWait(), sending.longestWait());
    }

    /** The wait before the next one, when it was sent again so often. */
    public Duration before(int resends) {
        double plain =
                Math.min(
                        (double) longest.toMillis(),
                        first.toMillis() * Math.pow(2, Math.min(resends, MOST_DOUBLINGS)));
        double factor = ThreadLocalRandom.current().nextDouble(1 - JITTER, 1 + JITTER);
        return Duration.ofMillis(Math.max(1, Math.round(plain * factor)));
    }
}
