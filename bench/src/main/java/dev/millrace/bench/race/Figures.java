package dev.millrace.bench.race;

import java.util.Arrays;
import java.util.Locale;

/** Figures of several rounds as cells of a table. */
public final class Figures {
    private Figures() {}

    /** The median, and the smallest and the largest of them. */
    public static String cell(String format, double... figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return "**%s** (%s–%s)"
                .formatted(
                        number(format, median(sorted)),
                        number(format, sorted[0]),
                        number(format, sorted[sorted.length - 1]));
    }

    /** What each of these is of the other of the same round. */
    public static double[] ratios(double[] upper, double[] lower) {
        double[] ratios = new double[Math.min(upper.length, lower.length)];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = upper[i] / lower[i];
        }
        return ratios;
    }

    /** The one in the middle. */
    public static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** With a point, whatever the language of the machine. */
    public static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
