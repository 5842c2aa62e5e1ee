package dev.millrace.hub.history.recording;

import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.hub.telemetry.Announced;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values of device channels. A point of another type than T is told apart by its name: {@code
 * S.10}.
 */
final class ChannelValues implements Recordable {
    private static final String PLAIN = "T";

    private final Points points;

    ChannelValues(Points points) {
        this.points = points;
    }

    @Override
    public Topic topic() {
        return points.changes();
    }

    @Override
    public Optional<Observed> read(Fact fact) {
        Announced told = Announced.of(fact.body());
        Thing thing = new Thing(SeriesName.CHANNEL, Integer.toString(told.channel()));
        long at = told.at().toEpochMilli();
        boolean plain = told.type().equals(PLAIN);
        List<Observed.Field> fields = new ArrayList<>(told.points().size());
        for (Announced.Point point : told.points()) {
            String name = plain ? point.point() : told.type() + "." + point.point();
            fields.add(new Observed.Field(name, Sample.of(at, point.text())));
        }
        return Optional.of(new Observed(thing, told.type(), at, fields));
    }
}
