package dev.millrace.hub.telemetry;

import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.layout.Cell;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The values of one type of a channel: where they are, and what this hub remembers of them, so that
 * a write need not say again what is known. Thread-safe.
 */
final class Source {
    private static final String PREFIX = "comsrv:";

    /** Hints come behind the answer, on a busy machine by so much. */
    private static final long LATELY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    final int channel;
    final PointType type;
    final Cell.Key values;
    final Cell.Key times;
    final Cell.Key qualities;

    /** Points that the index of the channel has. */
    final Set<String> known = ConcurrentHashMap.newKeySet();

    /** Texts of watched points that other rooms have seen last. */
    final Map<String, String> evaluated = new ConcurrentHashMap<>();

    /** Commits of this hub to these values. */
    final AtomicLong ownWrites = new AtomicLong();

    /** How many of them there were when others' values were looked for last. */
    volatile long ownSeen;

    /** When this hub has written there last, by the clock of this process. */
    volatile long ownAt = System.nanoTime() - LATELY_NANOS;

    /** Whether some value here may be of less than good quality. */
    volatile boolean unsound;

    /** When it was last tried whether all of them are good again. */
    volatile long triedAt;

    Source(int channel, PointType type) {
        String id = Integer.toString(channel);
        this.channel = channel;
        this.type = type;
        this.values = TelemetryLayouts.values(type).at(id);
        this.times = TelemetryLayouts.times(type).at(id);
        this.qualities = TelemetryLayouts.qualities(type).at(id);
    }

    /** This hub writes there. */
    void written() {
        ownWrites.incrementAndGet();
        ownAt = System.nanoTime();
    }

    /** Whether what was written there just now may have been written by this hub. */
    boolean isOurs(long own) {
        return ownSeen != own || writtenLately();
    }

    boolean writtenLately() {
        return System.nanoTime() - ownAt < LATELY_NANOS;
    }

    /** As alarm rules and maps name it. */
    String key() {
        return values.key();
    }

    /** What a source key names. */
    record Name(int channel, PointType type) {}

    /** The channel and type of a source with values of devices; empty for any other key. */
    static Optional<Name> parse(String source) {
        int colon = source.lastIndexOf(':');
        if (!source.startsWith(PREFIX) || colon < PREFIX.length()) {
            return Optional.empty();
        }
        int channel = PointIds.channel(source.substring(PREFIX.length(), colon));
        return PointType.of(source.substring(colon + 1))
                .filter(type -> channel > 0)
                .map(type -> new Name(channel, type));
    }
}
