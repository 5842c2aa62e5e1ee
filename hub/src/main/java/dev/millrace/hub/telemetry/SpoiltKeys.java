package dev.millrace.hub.telemetry;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNELS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CONFIGURED;

import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.store.Cells;
import dev.millrace.keyspace.store.Held;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keys of configured channels that hold something else than they should: nothing is stored there.
 */
final class SpoiltKeys {
    private static final int MOST = 1000;

    private SpoiltKeys() {}

    static List<String> advice(Keyspace keyspace) {
        Cells cells = keyspace.cells();
        Map<Cell.Key, Cells.Question<Long>> asked = new LinkedHashMap<>();
        for (ChannelConfiguration each :
                keyspace.store(CHANNELS).query(CONFIGURED).limit(MOST).page().values()) {
            String id = Integer.toString(each.id());
            for (Cell cell :
                    List.of(
                            TelemetryLayouts.TELEMETRY,
                            TelemetryLayouts.SIGNALS,
                            TelemetryLayouts.TELEMETRY_TIMES,
                            TelemetryLayouts.SIGNAL_TIMES,
                            TelemetryLayouts.TELEMETRY_QUALITY,
                            TelemetryLayouts.SIGNAL_QUALITY,
                            TelemetryLayouts.STATUS,
                            TelemetryLayouts.POINTS)) {
                asked.put(cell.at(id), cells.size(cell.at(id)));
            }
        }
        List<String> advice = new ArrayList<>();
        asked.forEach(
                (key, question) -> {
                    if (question.answer() instanceof Held.SomethingElse) {
                        advice.add(
                                "%s does not hold a %s, so nothing is stored there. Look who wrote it, and delete it."
                                        .formatted(key.key(), key.cell().type().words()));
                    }
                });
        return advice;
    }
}
