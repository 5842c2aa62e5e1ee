package dev.millrace.bench.readings;

import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.HubTurn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Whether an event costs more the more are stored: the hub, and Redis beside plain commands. */
final class Sizes {
    private static final int MOST_AT_ONCE = 10_000;

    private final Scene scene;

    Sizes(Scene scene) {
        this.scene = scene;
    }

    /** The figures of one size, of each round. */
    private record Row(long size, double[] hub, double[] redis, double[] plain) {
        double[] ratios() {
            return Figures.ratios(redis, plain);
        }
    }

    String section(List<Long> sizes) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (PlainEvents plain = new PlainEvents(scene.redis(), scene.crowd().connections())) {
            scene.redis().emptyButForTheHub();
            for (long size : sizes.stream().sorted().toList()) {
                rows.add(row(size, plain));
            }
        }
        StringBuilder table =
                new StringBuilder(
                        "| events stored | hub µs | Redis µs | Redis µs of plain `ZADD`s | Redis ÷"
                                + " plain | hub ÷ smallest | Redis ÷ smallest | plain ÷ smallest"
                                + " |\n|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        Row first = rows.getFirst();
        for (Row row : rows) {
            table.append(
                    String.format(
                            Locale.ROOT,
                            "| %,d | %s | %s | %s | %s | %.2f | %.2f | %.2f |\n",
                            row.size,
                            Figures.cell("%.1f", row.hub),
                            Figures.cell("%.1f", row.redis),
                            Figures.cell("%.1f", row.plain),
                            Figures.cell("%.2f", row.ratios()),
                            growth(row.hub, first.hub),
                            growth(row.redis, first.redis),
                            growth(row.plain, first.plain)));
        }
        return table.toString();
    }

    /** Sizes are measured one after the other, so their rounds do not belong together. */
    private static double growth(double[] upper, double[] lower) {
        return Figures.median(upper) / Figures.median(lower);
    }

    private Row row(long size, PlainEvents plain) throws Exception {
        int rounds = scene.pace().rounds();
        Row row = new Row(size, new double[rounds], new double[rounds], new double[rounds]);
        long most = Math.clamp(size / 2, 1, MOST_AT_ONCE);
        for (int round = 0; round < rounds; round++) {
            for (boolean hub : List.of(round % 2 == 0, round % 2 != 0)) {
                fill(size);
                HubTurn turn = turn(hub, most, plain);
                if (hub) {
                    row.hub[round] = turn.hubMicros();
                    row.redis[round] = turn.redisMicros();
                } else {
                    row.plain[round] = turn.redisMicros();
                }
            }
        }
        scene.say()
                .accept(
                        "%,d stored: %s µs hub, %s µs Redis, plain %s µs"
                                .formatted(
                                        size,
                                        Arrays.toString(row.hub),
                                        Arrays.toString(row.redis),
                                        Arrays.toString(row.plain)));
        return row;
    }

    /** What is measured is stored too: from time to time it begins anew. */
    private void fill(long size) throws Exception {
        if (HubUnderTest.stored(scene.redis()) > size + size / 4) {
            scene.redis().emptyButForTheHub();
        }
        if (HubUnderTest.stored(scene.redis()) < size) {
            scene.say().accept("Storing %,d events.".formatted(size));
            scene.hub().fill(size, scene.redis());
            scene.hub().whole().settle();
        }
    }

    private HubTurn turn(boolean hub, long most, PlainEvents plain) throws Exception {
        return HubTurn.of(
                scene.hub().whole().child(),
                scene.redis(),
                () ->
                        hub
                                ? scene.hub().single(scene.nanos(), most)
                                : plain.repeat(PlainEvents.Way.INDEXES, scene.nanos(), most));
    }
}
