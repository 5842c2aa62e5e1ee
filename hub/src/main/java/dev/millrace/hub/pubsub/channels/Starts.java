package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.http.Request;

/** Reads where a subscriber wants to begin. */
public final class Starts {
    public static final String ABOUT =
            "where to begin: latest, earliest, message:ID or clock:N, as long as that lives;"
                    + " latest";

    private static final String MESSAGE = "message:";
    private static final String CLOCK = "clock:";

    private Starts() {}

    public static PubsubStore.Start of(Request request) {
        return of(request.query("from").orElse("latest"));
    }

    private static PubsubStore.Start of(String text) {
        if (text.equals("latest")) {
            return new PubsubStore.Start.Latest();
        }
        if (text.equals("earliest")) {
            return new PubsubStore.Start.Earliest();
        }
        if (text.startsWith(MESSAGE)) {
            return new PubsubStore.Start.AtMessage(
                    MessageNames.of(text.substring(MESSAGE.length()), "from"));
        }
        if (text.startsWith(CLOCK)) {
            try {
                long clock = Long.parseLong(text.substring(CLOCK.length()));
                if (ClockRing.contains(clock)) {
                    return new PubsubStore.Start.AtClock(clock);
                }
            } catch (NumberFormatException e) {
                // said below
            }
        }
        throw new Refused.Invalid("from").exception();
    }
}
