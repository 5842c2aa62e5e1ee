package dev.millrace.hub.telemetry;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.Columns;
import dev.millrace.hub.telemetry.kept.NewValues;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.Texts;
import dev.millrace.hub.why.Origin;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Values of one source that are about to be stored, each with its quality: what the sender says,
 * and bad where the definition of the point does not believe it. Not to be changed, but for where
 * they come from.
 */
final class Batch {
    final Source source;
    final Instant at;
    final boolean initial;

    /** Whether they are stored by this hub, or were by somebody else. */
    final boolean stored;

    private final String[] fields;
    private final String[] texts;
    private final double[] numbers;
    private final Quality[] qualities;
    private final boolean allGood;
    private final Set<String> untimed;

    /** Where they come from, once somebody wants to record it. Under the lock of the channel. */
    private @Nullable Origin origin;

    /** What it goes by, if it was read from a device by this hub. */
    final Optional<Channel.Guard> guard;

    private Batch(
            Source source,
            Instant at,
            boolean initial,
            boolean stored,
            String[] fields,
            String[] texts,
            double[] numbers,
            Quality[] qualities,
            Set<String> untimed,
            Optional<Channel.Guard> guard) {
        this.guard = guard;
        this.source = source;
        this.at = at;
        this.initial = initial;
        this.stored = stored;
        this.fields = fields;
        this.texts = texts;
        this.numbers = numbers;
        this.qualities = qualities;
        this.untimed = untimed;
        this.allGood = Arrays.stream(qualities).allMatch(each -> each == Quality.GOOD);
    }

    /** What somebody has sent. */
    static Batch of(
            Source source,
            NewValues sent,
            Optional<ChannelConfiguration> configuration,
            Map<String, Double> within,
            Optional<Channel.Guard> guard,
            Instant at) {
        Quality said = sent.quality().flatMap(Quality::of).orElse(Quality.GOOD);
        int count = sent.count();
        String[] fields = new String[count];
        String[] texts = new String[count];
        double[] numbers = new double[count];
        Quality[] qualities = new Quality[count];
        int kept = 0;
        for (int i = 0; i < count; i++) {
            String field = sent.field(i);
            double number = sent.number(i);
            Optional<PointDefinition> point =
                    configuration.flatMap(each -> each.point(source.type, field));
            Double before = within.isEmpty() ? null : within.get(field);
            if (before != null && !point.map(each -> each.differs(before, number)).orElse(true)) {
                continue;
            }
            boolean believed = point.isEmpty() || point.get().believes(number);
            fields[kept] = field;
            texts[kept] = sent.text(i);
            numbers[kept] = number;
            qualities[kept++] = believed || said != Quality.GOOD ? said : Quality.BAD;
        }
        return new Batch(
                source,
                at,
                false,
                true,
                Arrays.copyOf(fields, kept),
                Arrays.copyOf(texts, kept),
                Arrays.copyOf(numbers, kept),
                Arrays.copyOf(qualities, kept),
                Set.of(),
                guard);
    }

    /** What is stored already. */
    static Batch present(Source source, List<Value> values, Instant at, boolean initial) {
        return present(source, values, at, initial, Set.of());
    }

    /**
     * The same of values that are looked at for the first time.
     *
     * @param untimed those of which nobody has said when they were measured
     */
    static Batch looked(Source source, List<Value> values, Instant at, Set<String> untimed) {
        return present(source, values, at, true, untimed);
    }

    private static Batch present(
            Source source, List<Value> values, Instant at, boolean initial, Set<String> untimed) {
        int count = values.size();
        String[] fields = new String[count];
        String[] texts = new String[count];
        double[] numbers = new double[count];
        Quality[] qualities = new Quality[count];
        for (int i = 0; i < count; i++) {
            Value value = values.get(i);
            fields[i] = value.field();
            texts[i] = value.text();
            numbers[i] = value.number();
            qualities[i] = value.quality();
        }
        return new Batch(
                source,
                at,
                initial,
                false,
                fields,
                texts,
                numbers,
                qualities,
                untimed,
                Optional.empty());
    }

    int size() {
        return fields.length;
    }

    String field(int i) {
        return fields[i];
    }

    String text(int i) {
        return texts[i];
    }

    boolean allGood() {
        return allGood;
    }

    Map<String, String> values() {
        return new Columns(fields.length, i -> fields[i], i -> texts[i]);
    }

    Map<String, String> times() {
        String millis = Long.toString(at.toEpochMilli());
        return new Columns(fields.length, i -> fields[i], i -> millis);
    }

    /** Of those that have none yet. */
    Map<String, String> missingTimes() {
        List<String> missing = List.copyOf(untimed);
        String millis = Long.toString(at.toEpochMilli());
        return new Columns(missing.size(), missing::get, i -> millis);
    }

    /** The points of this quality, or of any other one. */
    List<Integer> of(boolean good) {
        return IntStream.range(0, fields.length)
                .filter(i -> (qualities[i] == Quality.GOOD) == good)
                .boxed()
                .toList();
    }

    String quality(int i) {
        return qualities[i].word();
    }

    Written written(InstantSource clock) {
        List<Value> values =
                new AbstractList<>() {
                    @Override
                    public Value get(int i) {
                        return new Value(fields[i], texts[i], numbers[i], qualities[i]);
                    }

                    @Override
                    public int size() {
                        return fields.length;
                    }
                };
        return new Written(
                source.key(), source.channel, values, at, initial, stored, () -> origin(clock));
    }

    /** The fact tells it too, so that whoever is woken by it records the same. */
    private Origin origin(InstantSource clock) {
        Origin known = origin;
        if (known == null) {
            known = Origin.ofValue(clock.millis());
            origin = known;
        }
        return known;
    }

    /** The values come from a rule. */
    Batch from(Origin known) {
        origin = known;
        return this;
    }

    /** What others have written may have any name. */
    private void appendName(StringBuilder out, String field) {
        if (stored) {
            out.append('"').append(field).append('"');
        } else {
            JsonText.append(out, field);
        }
        out.append(':');
    }

    /** What live clients are told. */
    byte[] fact() {
        StringBuilder out = new StringBuilder(80 + 16 * fields.length);
        out.append("{\"channel_id\":")
                .append(source.channel)
                .append(",\"type\":\"")
                .append(source.type)
                .append("\",\"timestamp\":\"")
                .append(Texts.iso(at))
                .append("\",\"values\":{");
        for (int i = 0; i < fields.length; i++) {
            out.append(i == 0 ? "" : ",");
            appendName(out, fields[i]);
            Numbers.appendJson(out, texts[i], numbers[i]);
        }
        out.append('}');
        if (!allGood) {
            out.append(",\"quality\":{");
            String comma = "";
            for (int i = 0; i < fields.length; i++) {
                if (qualities[i] != Quality.GOOD) {
                    appendName(out.append(comma), fields[i]);
                    out.append('"').append(qualities[i].word()).append('"');
                    comma = ",";
                }
            }
            out.append('}');
        }
        Origin known = origin;
        if (known != null) {
            JsonText.append(out.append(",\"cause\":"), known.cause());
            if (!known.from().isEmpty()) {
                JsonText.append(out.append(",\"from\":"), known.from());
            }
        }
        return out.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }
}
