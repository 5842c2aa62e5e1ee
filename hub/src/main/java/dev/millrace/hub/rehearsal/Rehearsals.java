package dev.millrace.hub.rehearsal;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/**
 * The rehearsals of one room in this hub: a few at a time, and the last ones that ended until
 * somebody has fetched them. They end with the hub; nothing depends on them. Thread-safe.
 */
public final class Rehearsals implements AutoCloseable {
    static final int MOST_AT_A_TIME = 2;
    static final int MOST_KEPT = 32;
    private static final Duration KEPT = Duration.ofHours(1);
    private static final Logger log = LoggerFactory.getLogger(Rehearsals.class);

    private final InstantSource clock;

    /** The oldest first; guarded by this. */
    private final Map<String, Job> jobs = new LinkedHashMap<>();

    private int running;

    public Rehearsals(InstantSource clock) {
        this.clock = clock;
    }

    /** How it stands with one. */
    enum State {
        RUNNING("running"),
        DONE("done"),
        CANCELLED("cancelled"),
        FAILED("failed");

        final String word;

        State(String word) {
            this.word = word;
        }
    }

    /** One that was begun. */
    static final class Job {
        final String id = UUID.randomUUID().toString();
        final String rule;
        final Course course;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile State state = State.RUNNING;
        private volatile @Nullable ObjectNode result;
        private volatile String error = "";
        private volatile long endedAt;

        private Job(String rule, Course course) {
            this.rule = rule;
            this.course = course;
        }

        State state() {
            return state;
        }

        Optional<ObjectNode> result() {
            return Optional.ofNullable(result);
        }

        /** Why it failed; empty if it did not. */
        String error() {
            return error;
        }

        void await() throws InterruptedException {
            ended.await();
        }
    }

    /** Begins one; empty if there are as many as may be. */
    synchronized Optional<Job> begin(String rule, Span span, Rehearsal rehearsal) {
        forgetOld();
        if (running >= MOST_AT_A_TIME) {
            return Optional.empty();
        }
        Job job = new Job(rule, new Course(span.start(), span.end()));
        jobs.put(job.id, job);
        running++;
        Thread.ofVirtual().name("rehearsal").start(() -> run(job, rehearsal));
        return Optional.of(job);
    }

    private void run(Job job, Rehearsal rehearsal) {
        try {
            job.result = rehearsal.run(job.course);
            job.state = job.course.goesOn() ? State.DONE : State.CANCELLED;
        } catch (RuntimeException e) {
            log.warn("A rehearsal failed. rule={} reason={}", job.rule, e.toString());
            job.error = String.valueOf(e.getMessage());
            job.state = State.FAILED;
        } finally {
            synchronized (this) {
                running--;
                job.endedAt = clock.millis();
            }
            job.ended.countDown();
        }
    }

    private void forgetOld() {
        long oldest = clock.millis() - KEPT.toMillis();
        jobs.values().removeIf(each -> each.state != State.RUNNING && each.endedAt < oldest);
        List<Job> over = new ArrayList<>(jobs.values());
        over.removeIf(each -> each.state == State.RUNNING);
        over.sort(Comparator.comparingLong(each -> each.endedAt));
        for (int i = 0; i <= over.size() - MOST_KEPT; i++) {
            jobs.remove(over.get(i).id);
        }
    }

    synchronized Optional<Job> find(String rule, String id) {
        return Optional.ofNullable(jobs.get(id)).filter(each -> each.rule.equals(rule));
    }

    /** It is not wanted any more: one that runs ends soon, and none of it is kept. */
    synchronized void drop(Job job) {
        job.course.cancel();
        jobs.remove(job.id);
    }

    @Override
    public synchronized void close() {
        jobs.values().forEach(each -> each.course.cancel());
        jobs.clear();
    }
}
