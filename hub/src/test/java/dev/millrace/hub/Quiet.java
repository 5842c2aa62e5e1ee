package dev.millrace.hub;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * For tests that compare everything there is before and after a call: a hub that stores next to
 * nothing of its own accord, and a look that leaves out that rest, key by key. So what differs was
 * stored by the call.
 */
public final class Quiet {
    private static final String[] SETTINGS = {
        "history.record.on=false",
        "history.rollups.on=false",
        "site.heartbeat=1m",
        "telemetry.offline-after=1d"
    };

    /** Who is there, who does what, and how far readers of feeds have come. */
    private static final Pattern KEPT_UP =
            Pattern.compile(
                    "(\\{[^}]*})?"
                            + "(status:service:.*|sync:(lock|fence):supervisor"
                            + "|millrace:(lease|fence|feed-readers|feed-gaps|once):.*"
                            + "|millrace:(hubs|epoch|memory))");

    private Quiet() {}

    /** Settings that keep a hub from recording, rolling up, and judging channels by their age. */
    public static String[] settings() {
        return SETTINGS.clone();
    }

    /** Without what a hub keeps up by the clock. */
    public static Map<String, Object> of(Map<String, Object> everything) {
        Map<String, Object> all = new TreeMap<>(everything);
        all.keySet().removeIf(key -> KEPT_UP.matcher(key).matches());
        return all;
    }
}
