package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Happening;
import dev.millrace.hub.alarms.logic.Sources;
import dev.millrace.hub.alarms.logic.Titles;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.Quality;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What is to be known about the points that rules watch. Thread-safe. */
public final class Observed {
    private static final String OF_CHANNEL = "comsrv:";

    private final Points points;

    public Observed(Points points) {
        this.points = points;
    }

    /** The value that the field has now. */
    Optional<Happening.Value> value(AlarmRule rule) {
        return present(rule)
                .map(Points.Present::value)
                .map(
                        value ->
                                new Happening.Value(
                                        value.text(),
                                        value.number(),
                                        value.quality() == Quality.GOOD,
                                        true));
    }

    private Optional<Points.Present> present(AlarmRule rule) {
        String source = rule.sourceKey();
        String field = rule.field();
        return source == null || field == null ? Optional.empty() : points.present(source, field);
    }

    /** When the field was last updated, as far as whoever did it says so; 0 if not. */
    long lastUpdate(AlarmRule rule) {
        return present(rule).flatMap(Points.Present::at).map(Instant::toEpochMilli).orElse(0L);
    }

    /** What the field is evaluated for once more, soon. */
    void lookAt(AlarmRule rule) {
        String source = rule.sourceKey();
        String field = rule.field();
        if (source != null && field != null && rule.isEnabled()) {
            points.lookAt(source, Set.of(field));
        }
    }

    /** What people call it. */
    Titles.Point about(String source, String field) {
        if (!source.startsWith(OF_CHANNEL) || !Sources.isKnown(source)) {
            return Titles.Point.UNKNOWN;
        }
        String unit =
                points.about(source, field)
                        .map(Points.About::unit)
                        .filter(text -> !text.isEmpty())
                        .orElse(null);
        String name = points.channelName(Integer.parseInt(Sources.home(source))).orElse(null);
        return new Titles.Point(unit, name);
    }
}
