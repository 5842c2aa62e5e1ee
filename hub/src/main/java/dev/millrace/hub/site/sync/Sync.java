package dev.millrace.hub.site.sync;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.site.locks.Locks;
import dev.millrace.hub.work.Again;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.store.Store;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Patterns and jobs: kept, run on demand, and run when they are due. Thread-safe. */
public final class Sync implements AutoCloseable {
    private static final int MOST = 1000;

    private final Keyspace keyspace;
    private final InstantSource clock;
    private final Store<SyncPattern> patterns;
    private final Store<SyncJob> jobs;
    private final SyncRuns runs;
    private final SyncJobs work;
    private final Optional<ForeignWrites> others;

    /** What became of something. */
    sealed interface Done<T> {
        record With<T>(T value) implements Done<T> {}

        record Not<T>(Refused why) implements Done<T> {}
    }

    /**
     * Begins to run what is due.
     *
     * @param places asked when something is run, for rooms come one by one
     */
    public Sync(Keyspace keyspace, Locks locks, InstantSource clock, Supplier<List<Place>> places) {
        this.keyspace = keyspace;
        this.clock = clock;
        this.patterns = keyspace.store(SyncLayouts.PATTERNS);
        this.jobs = keyspace.store(SyncLayouts.JOBS);
        this.runs = new SyncRuns(keyspace, clock, places);
        this.work = new SyncJobs(this, jobs, locks, clock);
        this.others =
                keyspace.redis().cluster()
                        ? Optional.empty()
                        : Optional.of(
                                keyspace.foreignWrites(
                                        List.of(
                                                SyncLayouts.PATTERNS.pattern(),
                                                SyncLayouts.JOBS.pattern()),
                                        this::noticed));
        work.start();
    }

    /** What somebody else has written is found by the index from now on. */
    private void noticed(ForeignWrites.Noticed noticed) {
        enter(noticed, SyncLayouts.PATTERNS, patterns);
        enter(noticed, SyncLayouts.JOBS, jobs);
        work.wake();
    }

    private static <E> void enter(ForeignWrites.Noticed noticed, Layout<E> layout, Store<E> store) {
        for (String key : noticed.keysOf(layout.pattern())) {
            String id = key.substring(layout.pattern().head().length());
            store.get(id).ifPresent(each -> store.replace(each, each.value()));
        }
    }

    // ---------------------------------------------------------------- patterns

    List<SyncPattern> patterns() {
        return patterns.query(SyncLayouts.ALL_PATTERNS).limit(MOST).page().values();
    }

    Optional<SyncPattern> pattern(String id) {
        return SyncRules.ID.matcher(id).matches()
                ? patterns.get(id).map(Stored::value)
                : Optional.empty();
    }

    Done<SyncPattern> put(String id, ObjectNode document) {
        SyncPattern pattern = new SyncPattern(id, document);
        Optional<Refused> mistake = SyncRules.mistake(pattern);
        if (mistake.isPresent()) {
            return new Done.Not<>(mistake.get());
        }
        if (patterns.get(id).isEmpty()
                && patterns.query(SyncLayouts.ALL_PATTERNS).count() >= MOST) {
            return full();
        }
        return new Done.With<>(patterns.put(pattern).orThrow().value());
    }

    private static <T> Done<T> full() {
        return new Done.Not<>(Refused.of(EmsCode.QUEUE_FULL, "There are 1,000 of these already."));
    }

    /** The pattern goes, and what it has written stays: others may use it by now. */
    boolean removePattern(String id) {
        return Again.until(
                        () -> pattern(id).isEmpty() ? Optional.empty() : patterns.get(id),
                        id,
                        before -> {
                            Commit commit =
                                    keyspace.commitAtSite().delete(SyncLayouts.PATTERNS, before);
                            return commit.delete(SyncLayouts.STATISTICS.at(id))
                                    .delete(SyncLayouts.TARGETS.at(id))
                                    .run();
                        })
                .isStored();
    }

    /** How often it was run, when, and what went wrong. */
    Map<String, String> statistics(String id) {
        return keyspace.cells().hash(SyncLayouts.STATISTICS.at(id)).answer().or(Map.of());
    }

    /** Runs a pattern, or what the hub does anyway under this name. */
    Done<SyncResult> run(String name) {
        return run(name, () -> true);
    }

    Done<SyncResult> run(String name, BooleanSupplier goOn) {
        Optional<SyncPattern> pattern = pattern(name);
        if (pattern.isEmpty()) {
            return runs.builtIn(name)
                    .<Done<SyncResult>>map(Done.With::new)
                    .orElseGet(
                            () ->
                                    new Done.Not<>(
                                            Refused.of(
                                                    EmsCode.NOT_FOUND,
                                                    "There is no pattern %s.".formatted(name))));
        }
        Optional<Refused> mistake = SyncRules.mistake(pattern.get());
        if (mistake.isPresent()) {
            return new Done.Not<>(mistake.get()); // written by somebody else
        }
        if (!pattern.get().enabled()) {
            return new Done.Not<>(
                    Refused.of(
                            EmsCode.INVALID_STATE,
                            "The pattern %s is not enabled.".formatted(name)));
        }
        SyncResult result = runs.run(pattern.get(), goOn);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("last_sync", Long.toString(clock.instant().getEpochSecond()));
        fields.put("last_error", result.errors().isEmpty() ? "" : result.errors().getFirst());
        keyspace.commitAtSite()
                .setFields(SyncLayouts.STATISTICS.at(name), fields)
                .incrementField(SyncLayouts.STATISTICS.at(name), "sync_count", 1)
                .run();
        return new Done.With<>(result);
    }

    // ---------------------------------------------------------------- jobs

    List<SyncJob> jobs() {
        return jobs.query(SyncLayouts.ALL_JOBS).limit(MOST).page().values();
    }

    Optional<SyncJob> job(String id) {
        return SyncRules.ID.matcher(id).matches()
                ? jobs.get(id).map(Stored::value)
                : Optional.empty();
    }

    Done<SyncJob> putJob(String id, ObjectNode body) {
        return switch (JobRules.read(id, body, clock.instant())) {
            case Done.Not<SyncJob>(Refused why) -> new Done.Not<>(why);
            case Done.With<SyncJob>(SyncJob job) -> {
                if (jobs.get(id).isEmpty() && jobs.query(SyncLayouts.ALL_JOBS).count() >= MOST) {
                    yield full();
                }
                SyncJob stored =
                        job(id).isPresent()
                                ? jobs.update(id, before -> JobRules.merged(before, job))
                                        .orThrow()
                                        .value()
                                : jobs.put(job).orThrow().value();
                work.wake();
                yield new Done.With<>(stored);
            }
        };
    }

    boolean removeJob(String id) {
        return job(id).isPresent() && jobs.delete(id).isStored();
    }

    /** Runs a job now, whether it is due or not; empty if it is being run. */
    Optional<SyncJob> runJob(String id) {
        return work.run(id, true);
    }

    @Override
    public void close() {
        others.ifPresent(ForeignWrites::close);
        work.close();
    }
}
