package dev.millrace.hub.telemetry;

import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.NewValues;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cells;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Values of points: taken and read. Thread-safe. */
final class Values {
    private final Keyspace keyspace;
    private final ChannelBook book;
    private final ValueWrites writes;
    private final KnownChannels known;
    private final InstantSource clock;

    Values(
            Keyspace keyspace,
            ChannelBook book,
            ValueWrites writes,
            KnownChannels known,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.book = book;
        this.writes = writes;
        this.known = known;
        this.clock = clock;
    }

    /** What is remembered of a channel. */
    Channel channel(int id) {
        return known.get(id);
    }

    // ---------------------------------------------------------------- writing

    /** Stores what was sent, and does not wait for it; the future never fails. */
    CompletableFuture<WriteResult> write(int id, PointType type, NewValues sent) {
        return write(id, type, sent, Optional.empty());
    }

    /**
     * The same.
     *
     * @param guard what it goes by, if this hub has read it from a device
     */
    CompletableFuture<WriteResult> write(
            int id, PointType type, NewValues sent, Optional<Channel.Guard> guard) {
        return write(id, type, sent, guard, Optional.empty());
    }

    /**
     * The same.
     *
     * @param origin where they come from, if that is known
     */
    CompletableFuture<WriteResult> write(
            int id,
            PointType type,
            NewValues sent,
            Optional<Channel.Guard> guard,
            Optional<Origin> origin) {
        Channel channel = channel(id);
        Source source = channel.source(type);
        Optional<ChannelConfiguration> configuration = book.get(id);
        Map<String, Double> within;
        try {
            within = within(source, sent, configuration);
        } catch (RedisException e) {
            return CompletableFuture.completedFuture(new WriteResult.Failed(Outcome.failed(e)));
        }
        Instant at =
                sent.timestamp() > 0 ? Instant.ofEpochMilli(sent.timestamp()) : clock.instant();
        Batch batch = Batch.of(source, sent, configuration, within, guard, at);
        return writes.write(channel, origin.map(batch::from).orElse(batch));
    }

    /**
     * Whether {@link #write} would not wait for anything just now: nothing has to be read first.
     */
    boolean isPrompt(int id, PointType type) {
        return writes.isPrompt(channel(id), type)
                && book.get(id).map(each -> !each.hasDeadbands(type)).orElse(true);
    }

    /** The stored numbers of those points that have a dead band. */
    private Map<String, Double> within(
            Source source, NewValues sent, Optional<ChannelConfiguration> configuration) {
        if (configuration.isEmpty()) {
            return Map.of();
        }
        List<String> fields = new ArrayList<>(0);
        for (int i = 0; i < sent.count(); i++) {
            String field = sent.field(i);
            if (configuration
                    .get()
                    .point(source.type, field)
                    .filter(PointDefinition::hasDeadband)
                    .isPresent()) {
                fields.add(field);
            }
        }
        if (fields.isEmpty()) {
            return Map.of();
        }
        Map<String, Double> numbers = new HashMap<>();
        keyspace.cells()
                .fields(source.values, fields)
                .answer()
                .or(Map.of())
                .forEach(
                        (field, text) -> {
                            double number = Numbers.parse(text);
                            if (Double.isFinite(number)) {
                                numbers.put(field, number);
                            }
                        });
        return numbers;
    }

    // ---------------------------------------------------------------- reading

    /** Values as they are stored, by point. */
    record Stored(
            Map<String, String> values, Map<String, String> times, Map<String, String> qualities) {

        static final Stored NONE = new Stored(Map.of(), Map.of(), Map.of());

        boolean isEmpty() {
            return values.isEmpty();
        }

        Points.Present present(String point) {
            String text = values.getOrDefault(point, "");
            double number = Numbers.parse(text);
            double sound = Double.isFinite(number) ? number : Double.NaN;
            Quality quality =
                    Quality.of(qualities.getOrDefault(point, ""))
                            .orElse(Double.isNaN(sound) ? Quality.BAD : Quality.GOOD);
            return new Points.Present(new Value(point, text, sound, quality), time(point));
        }

        private Optional<Instant> time(String point) {
            double millis = Numbers.parse(times.getOrDefault(point, ""));
            return millis > 0 && millis < 1e15
                    ? Optional.of(Instant.ofEpochMilli((long) millis))
                    : Optional.empty();
        }
    }

    /** All points of a type; those of others than T and S have neither times nor qualities. */
    Stored all(int channel, PointType type) {
        Cells cells = keyspace.cells();
        String id = Integer.toString(channel);
        var values = cells.hash(TelemetryLayouts.values(type).at(id));
        if (!type.isRead()) {
            return new Stored(points(values.answer().or(Map.of())), Map.of(), Map.of());
        }
        var times = cells.hash(TelemetryLayouts.times(type).at(id));
        var qualities = cells.hash(TelemetryLayouts.qualities(type).at(id));
        return new Stored(
                points(values.answer().or(Map.of())),
                times.answer().or(Map.of()),
                qualities.answer().or(Map.of()));
    }

    /** Some of them; those that are not there are left out. */
    Stored some(int channel, PointType type, Collection<String> points) {
        Cells cells = keyspace.cells();
        String id = Integer.toString(channel);
        var values = cells.fields(TelemetryLayouts.values(type).at(id), points);
        if (!type.isRead()) {
            return new Stored(points(values.answer().or(Map.of())), Map.of(), Map.of());
        }
        var times = cells.fields(TelemetryLayouts.times(type).at(id), points);
        var qualities = cells.fields(TelemetryLayouts.qualities(type).at(id), points);
        return new Stored(
                points(values.answer().or(Map.of())),
                times.answer().or(Map.of()),
                qualities.answer().or(Map.of()));
    }

    /** Without what is said about the whole hash. */
    private static Map<String, String> points(Map<String, String> fields) {
        Map<String, String> points = new HashMap<>(fields);
        points.keySet().removeIf(field -> field.startsWith("_"));
        return points;
    }
}
