package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Resolution;

import java.time.Duration;
import java.util.Optional;

/** How the numbers of samples and roll-ups are called that are counted for each of their sets. */
final class Sizes {
    private static final String SAMPLES = "raw";

    private Sizes() {}

    /** Of the samples of an hour. */
    static String ofSamples(long hour) {
        return SAMPLES + ":" + Hours.stamp(hour);
    }

    /** Of roll-ups, in the sets to which those of this hour belong. */
    static String ofRollups(Resolution resolution, long hour) {
        return resolution.word() + ":" + Hours.stamp(resolution.set(hour));
    }

    /** When the last of what is counted under a name has gone by itself, in ms. */
    static long end(String name, Duration samples, RollupWrites.KeptRollups kept) {
        int colon = name.indexOf(':');
        Optional<Long> hour = Marks.hour(name.substring(colon + 1));
        if (colon < 0 || hour.isEmpty()) {
            return Long.MIN_VALUE; // Somebody else has put it there.
        }
        String word = name.substring(0, colon);
        for (Resolution each : Resolution.values()) {
            if (each.word().equals(word)) {
                return Hours.start(each.nextSet(hour.get())) + kept.of(each).toMillis();
            }
        }
        return Hours.start(hour.get() + 1) + samples.toMillis();
    }
}
