package dev.millrace.bench.race;

import java.util.List;

/**
 * A ratio that is to stay within a bound.
 *
 * @param ratios of each round
 * @param bound in words, for example "at most 0.75"
 */
public record Goal(String what, double[] ratios, String bound) {

    /** A table of those that were measured. */
    public static String table(List<Goal> goals) {
        StringBuilder table = new StringBuilder("| ratio | measured | wanted |\n|---|---:|---:|\n");
        for (Goal goal : goals) {
            if (goal.ratios.length > 0) {
                table.append(
                        "| %s | %s | %s |\n"
                                .formatted(
                                        goal.what, Figures.cell("%.2f", goal.ratios), goal.bound));
            }
        }
        return table.toString();
    }
}
