package dev.millrace.hub.history.recording;

import dev.millrace.hub.history.series.Sample;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which values of which things are recorded, and how often.
 *
 * @param pattern of what it is for: {@code comsrv:*:T}
 * @param deadband by how much a number has to differ to count as changed
 * @param interval of samples, where they come at intervals
 * @param maxInterval a value that does not change is recorded again after so long
 * @param keep how long its samples are kept; empty for as long as all others
 * @param allow fields or series that alone are recorded; empty for all
 * @param deny fields or series that are not
 */
record Rule(
        String pattern,
        Mode mode,
        double deadband,
        Duration interval,
        Duration maxInterval,
        Optional<Duration> keep,
        List<String> allow,
        List<String> deny) {

    Rule {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
    }

    /** The same in another mode. */
    Rule with(Mode other) {
        return new Rule(pattern, other, deadband, interval, maxInterval, keep, allow, deny);
    }

    /** Whether a value becomes a sample, after the last one that did. */
    boolean wants(@Nullable Sample last, Sample next) {
        if (last == null) {
            return true;
        }
        return switch (mode) {
            case ON_UPDATE -> true;
            case INTERVAL -> slot(next.at()) != slot(last.at());
            case ON_CHANGE ->
                    differs(last, next) || next.at() - last.at() >= maxInterval.toMillis();
        };
    }

    private long slot(long at) {
        return Math.floorDiv(at, interval.toMillis());
    }

    private boolean differs(Sample last, Sample next) {
        if (last.isNumber() && next.isNumber()) {
            return deadband > 0
                    ? Math.abs(next.number() - last.number()) > deadband
                    : next.number() != last.number();
        }
        return !last.text().equals(next.text());
    }

    /** A pattern in which * stands for any text. */
    static Pattern glob(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (String part : pattern.split("\\*", -1)) {
            regex.append(Pattern.quote(part)).append(".*");
        }
        regex.setLength(regex.length() - 2);
        return Pattern.compile(regex.toString());
    }
}
