package dev.millrace.hub.live;

import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.time.Duration;
import java.util.List;

/**
 * The settings of live feeds.
 *
 * @param maxClients how many may listen at once, in this hub
 * @param heartbeat after how long a silent connection is sent a sign of life
 * @param slowTimeOut how long a client may take nothing of what waits for it
 * @param recentFacts how many facts of each feed are kept in memory, for clients that are behind
 */
public record LiveSettings(
        int maxClients, Duration heartbeat, Duration slowTimeOut, int recentFacts) {

    private static final Kind<Duration> TIME = Kind.time(Duration.ofMillis(100));

    private static final Key<Integer> MAX_CLIENTS =
            Key.of(
                    "live.max-clients",
                    Kind.number(1, 1_000_000),
                    "20000",
                    "how many clients may listen to feeds at once");

    private static final Key<Duration> HEARTBEAT =
            Key.of(
                    "live.heartbeat",
                    TIME,
                    "15s",
                    "after how long a silent connection is sent a sign of life");

    private static final Key<Duration> SLOW_TIME_OUT =
            Key.of(
                    "live.slow-time-out",
                    TIME,
                    "60s",
                    "how long a client may take nothing of what waits for it, before it is cut");

    private static final Key<Integer> RECENT_FACTS =
            Key.of(
                    "live.recent-facts",
                    Kind.number(16, 1_000_000),
                    "4096",
                    "how many facts of each feed are kept in memory for clients that are behind;"
                            + " who is further behind reads them from Redis");

    public static final Keys.Group KEYS =
            new Keys.Group(
                    "Live feeds: server-sent events and WebSocket",
                    List.of(MAX_CLIENTS, HEARTBEAT, SLOW_TIME_OUT, RECENT_FACTS));

    public static LiveSettings read(Values values) {
        return new LiveSettings(
                values.get(MAX_CLIENTS),
                values.get(HEARTBEAT),
                values.get(SLOW_TIME_OUT),
                values.get(RECENT_FACTS));
    }
}
