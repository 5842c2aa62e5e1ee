package dev.millrace.hub.site.sync;

import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.site.locks.Locks;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Store;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs what is due. Every hub looks; the lock {@code job.{id}} decides which of them runs it, and
 * that it has begun is written before the work, so that a hub that dies in the middle is not
 * followed by one that does the same at once. Its lock ends some seconds later.
 */
final class SyncJobs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SyncJobs.class);
    private static final Duration LOCK = Duration.ofSeconds(10);
    private static final Duration RENEW = Duration.ofSeconds(3);

    /** While there is no job at all: others may bring one. */
    private static final Duration AT_REST = Duration.ofSeconds(5);

    private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);
    private static final int AT_ONCE = 8;
    private static final int LONGEST_ERROR = 500;

    private final Sync sync;
    private final Store<SyncJob> jobs;
    private final Locks locks;
    private final InstantSource clock;
    private final Bell bell = new Bell();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Set<String> running = ConcurrentHashMap.newKeySet();
    private final Semaphore room = new Semaphore(AT_ONCE);
    private final Thread thread = Thread.ofVirtual().name("sync-jobs").unstarted(this::look);

    SyncJobs(Sync sync, Store<SyncJob> jobs, Locks locks, InstantSource clock) {
        this.sync = sync;
        this.jobs = jobs;
        this.locks = locks;
        this.clock = clock;
    }

    void start() {
        thread.start();
    }

    void wake() {
        bell.ring();
    }

    private void look() {
        boolean failing = false;
        try {
            while (closed.getCount() > 0) {
                Duration rest = AT_REST;
                try {
                    rest = begin();
                    failing = false;
                } catch (RedisException e) {
                    if (!failing) {
                        log.warn("Jobs cannot be looked at. reason={}", e.getMessage());
                    }
                    failing = true;
                }
                bell.await(rest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Begins what is due, and says when to look again: at the beginning of a second. */
    private Duration begin() {
        List<SyncJob> all = sync.jobs();
        long now = clock.instant().getEpochSecond();
        boolean any = false;
        for (SyncJob job : all) {
            OptionalLong due = JobRules.due(job);
            any |= due.isPresent();
            if (due.isPresent() && due.getAsLong() <= now && running.add(job.jobId())) {
                Thread.ofVirtual()
                        .name("sync-job-" + job.jobId())
                        .start(
                                () -> {
                                    try {
                                        work(job.jobId(), false);
                                    } catch (RedisException e) {
                                        log.warn(
                                                "A job could not be run. job={} reason={}",
                                                job.jobId(),
                                                e.getMessage());
                                    } finally {
                                        running.remove(job.jobId());
                                    }
                                });
            }
        }
        return any
                ? Duration.ofMillis(
                        LONGEST_LOOK.toMillis() - Math.floorMod(clock.millis(), 1000L) + 2)
                : AT_REST;
    }

    /** Runs one now, if nobody does. */
    Optional<SyncJob> run(String id, boolean dueOrNot) {
        if (!running.add(id)) {
            return Optional.empty();
        }
        try {
            return work(id, dueOrNot);
        } finally {
            running.remove(id);
        }
    }

    private Optional<SyncJob> work(String id, boolean dueOrNot) {
        room.acquireUninterruptibly();
        String resource = "job." + id;
        try {
            String owner = UUID.randomUUID().toString();
            return switch (locks.acquire(resource, owner, LOCK)) {
                case Locks.Taken.Held held -> Optional.empty();
                case Locks.Taken.Ours(String token, long fence) -> {
                    try {
                        yield locked(id, resource, token, dueOrNot);
                    } finally {
                        locks.release(resource, token);
                    }
                }
            };
        } finally {
            room.release();
        }
    }

    /** Another hub may have run it between the look and the lock. */
    private Optional<SyncJob> locked(String id, String resource, String token, boolean dueOrNot) {
        Optional<Stored<SyncJob>> before = jobs.get(id);
        Instant begun = clock.instant();
        if (before.isEmpty() || !(dueOrNot || isDue(before.get().value(), begun))) {
            return Optional.empty();
        }
        SyncJob job = before.get().value();
        SyncJob started =
                new SyncJob(
                        id,
                        job.pattern(),
                        job.interval(),
                        Long.toString(begun.getEpochSecond()),
                        job.enabled(),
                        text(JobRules.following(job, begun)),
                        job.lastStatus(),
                        job.lastError(),
                        job.lastDurationMs(),
                        Long.toString(JobRules.number(job.runs()) + 1),
                        job.failures(),
                        job.cron());
        if (!jobs.replace(before.get(), started).isStored()) {
            return Optional.empty(); // somebody has changed it; it is due again at once
        }
        AtomicLong renewed = new AtomicLong(System.nanoTime());
        Sync.Done<SyncResult> done;
        try {
            done = sync.run(String.valueOf(job.pattern()), () -> held(resource, token, renewed));
        } catch (RedisException e) {
            done =
                    new Sync.Done.With<>(
                            new SyncResult(0, 0, List.of(String.valueOf(e.getMessage()))));
        }
        String error = error(done);
        long millis = Duration.between(begun, clock.instant()).toMillis();
        return jobs.update(id, now -> ended(now, error, millis)).isStored()
                ? jobs.get(id).map(Stored::value)
                : Optional.empty();
    }

    private static boolean isDue(SyncJob job, Instant now) {
        OptionalLong due = JobRules.due(job);
        return due.isPresent() && due.getAsLong() <= now.getEpochSecond();
    }

    private static String text(OptionalLong seconds) {
        return seconds.isPresent() ? Long.toString(seconds.getAsLong()) : "";
    }

    private boolean held(String resource, String token, AtomicLong renewed) {
        if (closed.getCount() == 0) {
            return false;
        }
        if (System.nanoTime() - renewed.get() < RENEW.toNanos()) {
            return true;
        }
        renewed.set(System.nanoTime());
        return locks.renew(resource, token, LOCK);
    }

    private static String error(Sync.Done<SyncResult> done) {
        String error =
                switch (done) {
                    case Sync.Done.Not<SyncResult>(Refused why) -> why.message();
                    case Sync.Done.With<SyncResult>(SyncResult result) ->
                            result.errors().isEmpty() ? "" : result.errors().getFirst();
                };
        return error.substring(0, Math.min(error.length(), LONGEST_ERROR));
    }

    private static SyncJob ended(SyncJob job, String error, long millis) {
        boolean good = error.isEmpty();
        return new SyncJob(
                job.jobId(),
                job.pattern(),
                job.interval(),
                job.lastRun(),
                job.enabled(),
                job.nextRun(),
                good ? "ok" : "error",
                error,
                Long.toString(Math.max(0, millis)),
                job.runs(),
                Long.toString(JobRules.number(job.failures()) + (good ? 0 : 1)),
                job.cron());
    }

    @Override
    public void close() {
        closed.countDown();
        bell.ring();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
