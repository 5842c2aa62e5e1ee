package dev.millrace.hub.history.recording;

import dev.millrace.hub.history.batches.BatchWriter;
import dev.millrace.hub.history.kept.Marks;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.keyspace.Keyspace;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The recorders of all rooms that announce values. */
public final class Recording implements AutoCloseable {
    private final List<Recorder> recorders = new ArrayList<>();

    private Recording() {}

    /** What is recorded: the values of channels, and of others who have any. */
    public static List<Recordable> all(Points points, List<Recordable> others) {
        List<Recordable> all = new ArrayList<>(others);
        all.addFirst(new ChannelValues(points));
        return all;
    }

    /** Begins to record, by these rules, which may change. */
    public static Recording start(
            Keyspace keyspace,
            List<Recordable> all,
            Supplier<Rules> rules,
            Marks marks,
            BatchWriter batches,
            MeterRegistry figures,
            InstantSource clock) {
        Recording recording = new Recording();
        for (Recordable each : all) {
            recording.recorders.add(
                    new Recorder(keyspace, each, rules, marks, batches, figures, clock));
        }
        return recording;
    }

    /** When the oldest value was announced that is not recorded yet; empty if all are. */
    public static Optional<Instant> oldestUnread(Keyspace keyspace, List<Recordable> all) {
        return all.stream()
                .flatMap(each -> keyspace.feed(each.topic()).health().readers().stream())
                .filter(reader -> reader.name().equals(Recorder.READER))
                .flatMap(reader -> reader.since().stream())
                .min(Comparator.naturalOrder());
    }

    /** Nobody records any more: nothing waits for it. */
    public static void forget(Keyspace keyspace, List<Recordable> all) {
        all.forEach(each -> Recorder.forget(keyspace, each.topic()));
    }

    @Override
    public void close() {
        recorders.reversed().forEach(Recorder::close);
    }
}
