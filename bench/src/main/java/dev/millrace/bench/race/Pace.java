package dev.millrace.bench.race;

import java.time.Duration;

/**
 * How long and how often.
 *
 * @param threads virtual threads that work at the same time
 * @param warmups rounds that are not counted: the JVM compiles, the pools fill
 * @param rounds rounds that are
 * @param time how long one contestant works in one round
 * @param count instead of the time: how many operations; 0 to go by the time
 */
public record Pace(int threads, int warmups, int rounds, Duration time, long count) {

    public Pace {
        if (threads < 1 || warmups < 0 || rounds < 1 || count < 0) {
            throw new IllegalArgumentException(
                    "A race needs at least one thread and one round; nothing of it is negative.");
        }
        if (count == 0 && !time.isPositive()) {
            throw new IllegalArgumentException("A round must take some time.");
        }
    }
}
