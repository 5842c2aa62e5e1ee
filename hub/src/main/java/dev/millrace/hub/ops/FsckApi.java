package dev.millrace.hub.ops;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.check.Check;
import dev.millrace.keyspace.check.CheckProgress;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.redis.walk.Pace;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** {@code /ops/fsck}: compares values and indexes in the background, and mends them if wanted. */
final class FsckApi implements AutoCloseable {
    private final Keyspace keyspace;
    private final Audited audited;
    private final InstantSource clock;
    private final Chore<Result> chore;
    private volatile Optional<Progress> progress = Optional.empty();

    FsckApi(Keyspace keyspace, Audited audited, InstantSource clock) {
        this.keyspace = keyspace;
        this.audited = audited;
        this.clock = clock;
        this.chore = new Chore<>("fsck", clock);
    }

    /**
     * A wish.
     *
     * @param repair mend what can be mended
     */
    record Wish(@Nullable Boolean repair) {}

    /** How far it is. */
    record Progress(long done, long total, int percent, long drift, Optional<Long> secondsLeft) {}

    /** Something that is not as the layouts say. */
    record Difference(String kind, String layout, String key, String detail, boolean repaired) {}

    /**
     * What was found.
     *
     * @param end {@code finished} or {@code stopped}
     * @param unknown keys that nobody declares
     * @param found differences by kind
     * @param left differences that are still there
     * @param differences the first ones
     */
    record Result(
            Instant at,
            String end,
            boolean repair,
            long values,
            long entries,
            long unknown,
            List<String> unknownExamples,
            Map<String, Long> found,
            long repaired,
            long left,
            List<Difference> differences) {}

    /** The one that runs, and the last one that came to an end. */
    record View(
            boolean running,
            Optional<Instant> since,
            Optional<Progress> progress,
            Optional<Result> last,
            Optional<String> failure) {}

    List<Route> routes() {
        return List.of(
                Route.get("/ops/fsck")
                        .needs(Role.ADMIN, "ops")
                        .about("How far the check is, and what the last one found.")
                        .gives(View.class)
                        .by(request -> Answer.json(view())),
                Route.post("/ops/fsck")
                        .needs(Role.ADMIN, "ops")
                        .about("Starts a check of values and indexes in the background.")
                        .takes(Wish.class)
                        .gives(View.class)
                        .by(this::start),
                Route.delete("/ops/fsck")
                        .needs(Role.ADMIN, "ops")
                        .about("Stops the check; the next one begins anew.")
                        .gives(View.class)
                        .by(this::stop));
    }

    private Answer start(Request request) {
        Wish wish = request.body().length == 0 ? new Wish(null) : request.json(Wish.class);
        boolean repair = Boolean.TRUE.equals(wish.repair);
        Actor by = Audited.actor(request);
        if (!chore.start(stop -> run(repair, stop, by))) {
            throw Problem.of(
                    Code.CONFLICT, "A check is running here already; DELETE /ops/fsck stops it.");
        }
        audited.done(by, "check started", repair ? "with repair" : "without repair", "done");
        return Answer.json(202, view());
    }

    private Answer stop(Request request) {
        if (!chore.stop()) {
            throw Problem.of(Code.CONFLICT, "No check is running here.");
        }
        audited.done(request, "check stopped", "");
        return Answer.json(202, view());
    }

    private View view() {
        Chore.Status<Result> status = chore.status();
        return new View(
                status.running(),
                status.since(),
                status.running() ? progress : Optional.empty(),
                status.last(),
                status.failure());
    }

    private Result run(boolean repair, BooleanSupplier stop, Actor by) {
        progress = Optional.empty();
        Check check = keyspace.check().pace(Pace.GENTLE).listener(this::goesOn).stoppedBy(stop);
        CheckReport report = (repair ? check.repairing() : check).run();
        Result result = result(report, repair);
        if (report.end() == CheckReport.End.FINISHED) {
            audited.done(
                    by,
                    "check finished",
                    "%d differences, %d repaired".formatted(report.drift(), report.repaired()),
                    report.left() == 0 ? "done" : report.left() + " left");
        }
        return result;
    }

    private Result result(CheckReport report, boolean repair) {
        Map<String, Long> found = new TreeMap<>();
        report.found().forEach((kind, count) -> found.put(word(kind), count));
        return new Result(
                clock.instant(),
                word(report.end()),
                repair,
                report.values(),
                report.entries(),
                report.unknown(),
                report.unknownExamples(),
                found,
                report.repaired(),
                report.left(),
                report.findings().stream().map(FsckApi::difference).toList());
    }

    private static Difference difference(Finding finding) {
        return new Difference(
                word(finding.kind()),
                finding.layout(),
                finding.key(),
                finding.detail(),
                finding.repaired());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private void goesOn(CheckProgress now) {
        progress =
                Optional.of(
                        new Progress(
                                now.done(),
                                now.total(),
                                now.percent(),
                                now.drift(),
                                now.left().map(Duration::toSeconds)));
    }

    @Override
    public void close() {
        chore.close();
    }
}
