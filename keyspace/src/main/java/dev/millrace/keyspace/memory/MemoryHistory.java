package dev.millrace.keyspace.memory;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.RecordJson;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.outcome.Outcome;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last measurements of memory, in a capped list of the site, newest first. Two that are a
 * minute apart say nothing about a day; so one is kept only if the last is ten minutes old, and
 * compared only with one that is.
 */
public final class MemoryHistory {
    static final String KEY = "millrace:memory";
    public static final Cell CELL =
            Cell.of(KeyType.LIST, KEY).about("The last measurements of memory, newest first.");

    /** What measurements are kept in. */
    public static final List<Cell> KEYS = List.of(CELL);

    private static final int KEPT = 60;
    private static final Duration APART = Duration.ofMinutes(10);
    private static final RecordJson<Line> LINE = new RecordJson<>(Line.class);

    private final Ground ground;

    /** A measurement as it is stored. */
    record Line(long at, long used, Map<String, Long> bytes) {}

    public MemoryHistory(Ground ground) {
        this.ground = ground;
    }

    /** The report, compared with the last one before it. */
    public MemoryReport compared(MemoryReport report) {
        return new MemoryReport(
                report.at(), report.parts(), report.used(), report.max(), before(report.at()));
    }

    private Optional<MemoryReport.Earlier> before(Instant now) {
        Place place = ground.shards().place(Declaration.SITE);
        String last = Integer.toString(KEPT - 1);
        Object reply = ground.redis().call(place.ask("LRANGE", KEY, "0", last));
        for (Line line : lines(Replies.list(reply))) {
            if (now.toEpochMilli() - line.at >= APART.toMillis()) {
                Instant at = Instant.ofEpochMilli(line.at);
                return Optional.of(new MemoryReport.Earlier(at, line.used, line.bytes));
            }
        }
        return Optional.empty();
    }

    private static List<Line> lines(List<?> reply) {
        List<Line> lines = new ArrayList<>();
        for (Object each : reply) {
            try {
                lines.add(LINE.decode(Replies.bytes(each)));
            } catch (RuntimeException e) {
                // of another version
            }
        }
        return lines;
    }

    /** Keeps it for the next one to compare with, unless the last one is too young. */
    public Outcome<Long> keep(MemoryReport report) {
        Place place = ground.shards().place(Declaration.SITE);
        List<Line> newest =
                lines(Replies.list(ground.redis().call(place.ask("LRANGE", KEY, "0", "0"))));
        long at = report.at().toEpochMilli();
        if (!newest.isEmpty() && at - newest.getFirst().at < APART.toMillis()) {
            return Outcome.done(0L);
        }
        Map<String, Long> bytes = new HashMap<>();
        report.parts().forEach(part -> bytes.put(part.name(), part.bytes()));
        byte[] line = LINE.encode(new Line(at, report.used(), bytes), null);
        return ground.commit(ground.shards().place(Declaration.SITE))
                .push(CELL.at(), line, KEPT)
                .run();
    }
}
