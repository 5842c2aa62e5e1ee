package dev.millrace.hub.telemetry;

import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.NewValues;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointType;
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
import java.util.concurrent.ConcurrentHashMap;

/** Values of points: taken and read. Thread-safe. */
final class Values {
    private final Keyspace keyspace;
    private final ChannelBook book;
    private final ValueWrites writes;
    private final InstantSource clock;
    private final Map<Integer, Channel> channels = new ConcurrentHashMap<>();

    Values(Keyspace keyspace, ChannelBook book, ValueWrites writes, InstantSource clock) {
        this.keyspace = keyspace;
        this.book = book;
        this.writes = writes;
        this.clock = clock;
    }

    /** What is remembered of a channel. */
    Channel channel(int id) {
        return channels.computeIfAbsent(id, Channel::new);
    }

    // ---------------------------------------------------------------- writing

    /** Stores what was sent, and does not wait for it; the future never fails. */
    CompletableFuture<WriteResult> write(int id, PointType type, NewValues sent) {
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
        return writes.write(channel, Batch.of(source, sent, configuration, within, at));
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

    /** How many points of the channel are known. */
    long points(int channel) {
        return keyspace.cells()
                .size(TelemetryLayouts.POINTS.at(Integer.toString(channel)))
                .answer()
                .or(0L);
    }

    /** Whether there is such a channel: somebody has configured it, or it has values. */
    boolean exists(int channel) {
        String id = Integer.toString(channel);
        if (book.get(channel).isPresent()) {
            return true;
        }
        Cells cells = keyspace.cells();
        var telemetry = cells.size(TelemetryLayouts.TELEMETRY.at(id));
        var signals = cells.size(TelemetryLayouts.SIGNALS.at(id));
        return telemetry.answer().or(0L) > 0 || signals.answer().or(0L) > 0;
    }
}
