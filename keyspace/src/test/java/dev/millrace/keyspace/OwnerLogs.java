package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import org.awaitility.core.ConditionFactory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Writers that do not wait for their answers. Each commit of an owner appends the next number to
 * its list, enters it in a sorted set and adds one to a counter: afterwards the list must be in
 * order, agree with the outcomes, and with the other two.
 */
final class OwnerLogs implements AutoCloseable {
    private static final int WRITERS = 4;
    private static final int KEPT = 1_000_000;

    private final Keyspace keyspace;
    private final List<String> owners;
    private final Map<String, Map<Integer, Outcome<Long>>> outcomes = new ConcurrentHashMap<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final List<Thread> writers = new ArrayList<>();
    private final Semaphore inFlight;
    private volatile boolean stopped;

    private OwnerLogs(Keyspace keyspace, List<String> owners, int inFlight) {
        this.keyspace = keyspace;
        this.owners = List.copyOf(owners);
        this.inFlight = new Semaphore(inFlight);
        owners.forEach(owner -> outcomes.put(owner, new ConcurrentSkipListMap<>()));
    }

    /**
     * @param inFlight how many commits may be without an answer, over all owners
     */
    static OwnerLogs start(Keyspace keyspace, List<String> owners, int inFlight) {
        OwnerLogs logs = new OwnerLogs(keyspace, owners, inFlight);
        for (int writer = 0; writer < WRITERS; writer++) {
            int first = writer;
            logs.writers.add(Thread.ofVirtual().start(() -> logs.write(first)));
        }
        return logs;
    }

    long answered() {
        return answered.get();
    }

    /** Each owner has one writer, so that there is an order to be kept. */
    private void write(int first) {
        for (int number = 1; !stopped; number++) {
            for (int i = first; i < owners.size() && !stopped; i += WRITERS) {
                inFlight.acquireUninterruptibly();
                send(owners.get(i), number);
            }
        }
    }

    private void send(String owner, int number) {
        sent.incrementAndGet();
        String text = Integer.toString(number);
        var _ =
                keyspace.commit(owner)
                        .append(
                                Plant.QUEUE.at(owner),
                                text.getBytes(StandardCharsets.US_ASCII),
                                KEPT)
                        .addSorted(Plant.TIMES.at(owner), number, text)
                        .increment(Plant.COUNTER.at(owner), 1)
                        .send()
                        .thenAccept(outcome -> answer(owner, number, outcome));
    }

    private void answer(String owner, int number, Outcome<Long> outcome) {
        outcomes.get(owner).put(number, outcome);
        if (outcome.isDone()) {
            done.incrementAndGet();
        }
        answered.incrementAndGet();
        inFlight.release();
    }

    /** Waits until so many more are done; for ever, as far as a test is concerned, if none are. */
    OwnerLogs awaitDone(int more) {
        long target = done.get() + more;
        patiently().until(() -> done.get() >= target);
        return this;
    }

    /** Waits until so many more have any answer. */
    void awaitAnswered(int more) {
        long target = answered.get() + more;
        patiently().until(() -> answered.get() >= target);
    }

    /** Waits until so many more were refused for this reason. */
    void awaitRefused(Reason reason, int more) {
        long target = count(outcome -> outcome.failedBy(reason)) + more;
        patiently().until(() -> count(outcome -> outcome.failedBy(reason)) >= target);
    }

    /** Waits until each of these owners has one more that was sent from now on and is done. */
    void awaitEachDone(Predicate<String> which) {
        for (String owner : owners) {
            if (which.test(owner)) {
                int now = lastOf(owner);
                patiently()
                        .until(
                                () ->
                                        outcomes.get(owner).entrySet().stream()
                                                .anyMatch(
                                                        each ->
                                                                each.getKey() > now + 10
                                                                        && each.getValue()
                                                                                .isDone()));
            }
        }
    }

    private int lastOf(String owner) {
        return outcomes.get(owner).keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** Lets the writers end, and waits until every commit has its answer. */
    OwnerLogs stop() {
        stopped = true;
        for (Thread writer : writers) {
            try {
                assertThat(writer.join(Duration.ofMinutes(3))).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        patiently().until(() -> answered.get() == sent.get());
        return this;
    }

    /** Everything was done, and is there. */
    void allDone() {
        owners.forEach(owner -> allDone(owner));
        agree(true);
    }

    void allDone(String owner) {
        assertThat(outcomes.get(owner).values()).as(owner).allMatch(Outcome::isDone);
    }

    /** What was not done was not done because of the server, not because of what was asked. */
    void doneUnknownOrUnavailable() {
        outcomes.values()
                .forEach(
                        each ->
                                assertThat(each.values())
                                        .allMatch(
                                                end ->
                                                        end.isStored()
                                                                || end instanceof Outcome.Unknown<?>
                                                                || end.failedBy(
                                                                        Reason.UNAVAILABLE)));
    }

    void noneUnknown() {
        outcomes.values()
                .forEach(
                        each ->
                                assertThat(each.values())
                                        .noneMatch(end -> end instanceof Outcome.Unknown<?>));
    }

    long unknown() {
        return count(outcome -> outcome instanceof Outcome.Unknown<?>);
    }

    long count(Predicate<Outcome<Long>> which) {
        return outcomes.values().stream()
                .flatMap(each -> each.values().stream())
                .filter(which)
                .count();
    }

    /**
     * The lists are in order, whole, and agree with the outcomes.
     *
     * @param kept whether all that was done must still be there
     */
    void agree(boolean kept) {
        for (String owner : owners) {
            agree(owner, kept);
        }
    }

    void agree(String owner, boolean kept) {
        List<Integer> stored = stored(owner);
        Set<Integer> mayBe = new HashSet<>();
        List<Integer> mustBe = new ArrayList<>();
        outcomes.get(owner)
                .forEach(
                        (number, outcome) -> {
                            if (!(outcome instanceof Outcome.NotDone<?>)) {
                                mayBe.add(number);
                            }
                            if (outcome.isDone()) {
                                mustBe.add(number);
                            }
                        });
        assertThat(stored).as("order of %s", owner).isSorted().doesNotHaveDuplicates();
        assertThat(mayBe).as("not done, but stored for %s", owner).containsAll(stored);
        if (kept) {
            assertThat(new HashSet<>(stored))
                    .as("done, but lost for %s", owner)
                    .containsAll(mustBe);
        }
        Place place = keyspace.ground().shards().place(owner);
        Object count = keyspace.redis().call(place.ask("GET", "counter:" + owner));
        Object times = keyspace.redis().call(place.ask("ZCARD", "times:" + owner));
        assertThat(Replies.textOrEmpty(count))
                .as("half a commit of %s", owner)
                .isEqualTo(stored.isEmpty() ? "" : Integer.toString(stored.size()));
        assertThat(times).as("half a commit of %s", owner).isEqualTo((long) stored.size());
    }

    private List<Integer> stored(String owner) {
        Place place = keyspace.ground().shards().place(owner);
        Request request = place.ask("LRANGE", "queue:" + owner, "0", "-1");
        return Replies.list(keyspace.redis().call(request)).stream()
                .map(each -> Integer.parseInt(Replies.textOrEmpty(each)))
                .toList();
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(2));
    }

    @Override
    public void close() {
        stopped = true;
    }
}
