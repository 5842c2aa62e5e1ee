package dev.millrace.hub.ops;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.memory.MemoryReport;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.walk.Pace;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** {@code /ops/memory}: measures in the background which layout takes how much memory. */
final class MemoryApi implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MemoryApi.class);

    private final Keyspace keyspace;
    private final Audited audited;
    private final InstantSource clock;
    private final Chore<MemoryReport> chore;
    private volatile long seen;

    MemoryApi(Keyspace keyspace, Audited audited, InstantSource clock) {
        this.keyspace = keyspace;
        this.audited = audited;
        this.clock = clock;
        this.chore = new Chore<>("memory", clock);
    }

    /**
     * What one layout takes; bytes are estimates.
     *
     * @param name empty for keys that nobody declares
     * @param growth bytes a day; none without an earlier measurement
     */
    record Part(
            String name, long keys, long values, long indexes, long bytes, Optional<Long> growth) {}

    /**
     * A measurement.
     *
     * @param used what the servers say they use, in bytes
     * @param max what they may use; 0 if nothing limits them
     * @param since the earlier measurement that growth is told from
     * @param growth of what the servers use, in bytes a day
     * @param daysLeft until the memory is full, if it goes on like this
     */
    record Measured(
            Instant at,
            long used,
            long max,
            Optional<Instant> since,
            Optional<Long> growth,
            Optional<Long> daysLeft,
            List<Part> parts) {}

    /**
     * The measurement that runs, and the last one.
     *
     * @param seen keys that the running one has seen
     */
    record View(
            boolean running,
            Optional<Instant> since,
            long seen,
            Optional<Measured> last,
            Optional<String> failure) {}

    List<Route> routes() {
        return List.of(
                Route.get("/ops/memory")
                        .needs(Role.ADMIN, "ops")
                        .about("Which layout took how much memory when it was measured last.")
                        .gives(View.class)
                        .by(request -> Answer.json(view())),
                Route.post("/ops/memory")
                        .needs(Role.ADMIN, "ops")
                        .about("Starts to measure, in the background.")
                        .gives(View.class)
                        .by(this::start),
                Route.delete("/ops/memory")
                        .needs(Role.ADMIN, "ops")
                        .about("Stops a measurement that is running.")
                        .gives(View.class)
                        .by(this::stop));
    }

    /** The last measurement of this hub. */
    Optional<MemoryReport> last() {
        return chore.status().last();
    }

    private Answer start(Request request) {
        if (!chore.start(this::run)) {
            throw Problem.of(
                    Code.CONFLICT, "It is measured already; DELETE /ops/memory stops that.");
        }
        audited.done(request, "memory measured", "");
        return Answer.json(202, view());
    }

    private Answer stop(Request request) {
        if (!chore.stop()) {
            throw Problem.of(Code.CONFLICT, "Nothing is measured now.");
        }
        audited.done(request, "memory measurement stopped", "");
        return Answer.json(202, view());
    }

    private MemoryReport run(BooleanSupplier stop) {
        seen = 0;
        MemoryReport report =
                keyspace.memory(
                        Pace.GENTLE,
                        clock.instant(),
                        keys -> {
                            seen = keys;
                            if (stop.getAsBoolean()) {
                                throw new Chore.StoppedException();
                            }
                        });
        Outcome<Long> kept = keyspace.remember(report);
        if (!kept.isDone()) {
            log.warn("Figures of memory were not kept for the next time. outcome={}", kept);
        }
        return report;
    }

    private View view() {
        Chore.Status<MemoryReport> status = chore.status();
        return new View(
                status.running(),
                status.since(),
                status.running() ? seen : 0,
                status.last().map(MemoryApi::measured),
                status.failure());
    }

    private static Measured measured(MemoryReport report) {
        return new Measured(
                report.at(),
                report.used(),
                report.max(),
                report.before().map(MemoryReport.Earlier::at),
                boxed(report.growth()),
                boxed(report.daysLeft()),
                report.parts().stream()
                        .map(
                                part ->
                                        new Part(
                                                part.name(),
                                                part.keys(),
                                                part.values(),
                                                part.indexes(),
                                                part.bytes(),
                                                boxed(report.growth(part))))
                        .toList());
    }

    private static Optional<Long> boxed(OptionalLong number) {
        return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
    }

    @Override
    public void close() {
        chore.close();
    }
}
