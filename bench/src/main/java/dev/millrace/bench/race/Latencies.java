package dev.millrace.bench.race;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How long things took, sorted. */
public final class Latencies {
    private final long[] sorted;

    private Latencies(long[] sorted) {
        this.sorted = sorted;
    }

    public static Latencies of(long... nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Latencies(sorted);
    }

    /** All of them together. */
    public static Latencies of(List<Latencies> some) {
        return of(some.stream().flatMapToLong(each -> Arrays.stream(each.sorted)).toArray());
    }

    public int count() {
        return sorted.length;
    }

    /** The time within which so many percent were done, in ms. */
    public double millis(double percent) {
        if (sorted.length == 0) {
            return 0;
        }
        int at = (int) Math.ceil(sorted.length * percent / 100) - 1;
        return sorted[Math.clamp(at, 0, sorted.length - 1)] / 1e6;
    }

    /** Half, 99 and 99.9 percent and all, as cells of a table. */
    public String cells() {
        return String.format(
                Locale.ROOT,
                "%.2f | %.2f | %.2f | %.1f",
                millis(50),
                millis(99),
                millis(99.9),
                millis(100));
    }
}
