package dev.millrace.bench.readings;

import java.util.Locale;

/** Whether the heap of the hub grows with what it has taken. */
final class Heap {
    static final int STEPS = 10;
    private static final double MIB = 1 << 20;

    private Heap() {}

    /** Bytes before, and after each tenth of the events; Redis is emptied in between. */
    static String section(Scene scene, int events) throws Exception {
        int step = events / STEPS;
        StringBuilder table =
                new StringBuilder("| events so far | MiB after cleaning up |\n|---:|---:|\n");
        for (int i = 0; i <= STEPS; i++) {
            scene.redis().emptyButForTheHub();
            if (i > 0) {
                scene.hub().fill(step, scene.redis());
            }
            String row =
                    String.format(
                            Locale.ROOT,
                            "| %,d | %.1f |",
                            i * (long) step,
                            scene.hub().whole().heap() / MIB);
            table.append(row).append('\n');
            scene.say().accept("Heap: " + row);
        }
        return table.toString();
    }
}
