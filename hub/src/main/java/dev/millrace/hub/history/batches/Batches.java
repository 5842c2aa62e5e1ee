package dev.millrace.hub.history.batches;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Cells;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Batches that are there: looked at, acknowledged, offered again, failed. Each change holds only if
 * the batch is as it was when it was read, so of several at once one counts. Thread-safe.
 */
public final class Batches {
    private static final String EVENT = "service";
    private static final int LONGEST_ERROR = 1000;
    private static final Comparator<Cells.Scored> OLDEST =
            Comparator.comparingDouble(Cells.Scored::score).thenComparing(Cells.Scored::member);
    private static final Logger log = LoggerFactory.getLogger(Batches.class);

    private final Keyspace keyspace;
    private final Site site;
    private final BatchSettings settings;
    private final InstantSource clock;
    private final Counter written;
    private final Counter again;
    private final Counter failed;
    private final Seldom seldom = new Seldom();

    public Batches(
            Keyspace keyspace,
            Site site,
            BatchSettings settings,
            MeterRegistry figures,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.settings = settings;
        this.clock = clock;
        this.written = counter(figures, "written", "Batches that another store has.");
        this.again = counter(figures, "again", "Batches that were offered again.");
        this.failed = counter(figures, "failed", "Batches that nobody has written.");
    }

    private static Counter counter(MeterRegistry figures, String name, String about) {
        return Counter.builder("millrace.history.batches." + name)
                .description(about)
                .register(figures);
    }

    BatchSettings settings() {
        return settings;
    }

    // ---------------------------------------------------------------- looking

    /** A batch as it was read. */
    record Seen(Batch batch, byte[] text) {}

    Optional<Seen> find(String id) {
        Cell.Key key;
        try {
            key = BatchLayouts.batch(id);
        } catch (BadKeyException e) {
            return Optional.empty();
        }
        return read(id, keyspace.cells().string(key).answer().or(""));
    }

    private static Optional<Seen> read(String id, String text) {
        return Batch.read(id, text).map(batch -> new Seen(batch, text.getBytes(UTF_8)));
    }

    /** Some of them; {@code next} is where more begin, empty if these are the last. */
    record Some(List<Batch> batches, Optional<Cells.Scored> next, long total) {
        Some {
            batches = List.copyOf(batches);
        }
    }

    /**
     * Those that are so far, the oldest first.
     *
     * @param after the last one of the part before
     */
    Some list(BatchStatus status, Optional<Cells.Scored> after, int most) {
        List<Cells.Scored> found = new ArrayList<>();
        for (String place : site.places(keyspace)) {
            found.addAll(some(BatchLayouts.all(status, place), after, most + 1));
        }
        found.sort(OLDEST);
        List<Cells.Scored> part = found.subList(0, Math.min(most, found.size()));
        Cells cells = keyspace.cells();
        List<Cells.Question<String>> questions =
                part.stream().map(each -> cells.string(BatchLayouts.batch(each.member()))).toList();
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < part.size(); i++) {
            // One that has expired is in its index for a while yet.
            read(part.get(i).member(), questions.get(i).answer().or(""))
                    .map(Seen::batch)
                    .ifPresent(batches::add);
        }
        return new Some(
                batches,
                found.size() > most ? Optional.of(part.getLast()) : Optional.empty(),
                count(status));
    }

    /** The oldest that come after this one. Several may be of one millisecond. */
    private List<Cells.Scored> some(Cell.Key index, Optional<Cells.Scored> after, int most) {
        double from = after.map(Cells.Scored::score).orElse(0.0);
        for (int read = most; ; read *= 2) {
            List<Cells.Scored> all = between(index, from, Double.MAX_VALUE, read);
            List<Cells.Scored> rest =
                    all.stream()
                            .filter(
                                    each ->
                                            after.isEmpty()
                                                    || OLDEST.compare(each, after.get()) > 0)
                            .toList();
            if (rest.size() >= most || all.size() < read) {
                return rest;
            }
        }
    }

    private List<Cells.Scored> between(Cell.Key index, double from, double to, int most) {
        return keyspace.cells().sortedBetween(index, from, to, most).answer().or(List.of());
    }

    /** How many are so far. */
    long count(BatchStatus status) {
        Cells cells = keyspace.cells();
        List<Cells.Question<Long>> sizes =
                site.places(keyspace).stream()
                        .map(place -> cells.size(BatchLayouts.all(status, place)))
                        .toList();
        return sizes.stream().mapToLong(each -> each.answer().or(0L)).sum();
    }

    /** Ids of those that wait and that somebody has to look after by now. */
    List<String> due(int most) {
        List<Cells.Scored> found = new ArrayList<>();
        for (String place : site.places(keyspace)) {
            found.addAll(between(BatchLayouts.due(place), 0, (double) clock.millis(), most));
        }
        return ids(found, most);
    }

    /** Ids of those that wait, the oldest first. */
    List<String> oldest(int most) {
        List<Cells.Scored> found = new ArrayList<>();
        for (String place : site.places(keyspace)) {
            found.addAll(
                    some(BatchLayouts.all(BatchStatus.CREATED, place), Optional.empty(), most));
        }
        return ids(found, most);
    }

    private static List<String> ids(List<Cells.Scored> found, int most) {
        return found.stream().sorted(OLDEST).limit(most).map(Cells.Scored::member).toList();
    }

    // ---------------------------------------------------------------- changes

    /** What became of an acknowledgement. */
    sealed interface Acknowledged {
        /** It is so; perhaps it was so already. */
        record Done(Batch batch) implements Acknowledged {}

        record Not(Refused why) implements Acknowledged {}
    }

    /**
     * Somebody has written it somewhere else, or could not.
     *
     * @param error why not
     */
    Acknowledged acknowledge(String id, BatchStatus status, String error) {
        while (true) {
            Optional<Seen> found = find(id);
            if (found.isEmpty()) {
                return new Acknowledged.Not(
                        Refused.of(EmsCode.NOT_FOUND, "There is no batch '%s'.".formatted(id)));
            }
            Seen seen = found.get();
            Batch batch = seen.batch;
            if (batch.status() == status) {
                return new Acknowledged.Done(batch);
            }
            if (batch.status() != BatchStatus.CREATED) {
                return new Acknowledged.Not(
                        Refused.of(
                                EmsCode.INVALID_STATE,
                                "The batch '%s' is %s already; that cannot be changed."
                                        .formatted(id, batch.status().word())));
            }
            String why = error.substring(0, Math.min(error.length(), LONGEST_ERROR));
            Optional<Batch> changed =
                    status == BatchStatus.WRITTEN
                            ? write(seen)
                            : fail(seen, why.isEmpty() ? "It could not be written." : why, true);
            if (changed.isPresent()) {
                return new Acknowledged.Done(changed.get());
            }
        }
    }

    private Optional<Batch> write(Seen seen) {
        Batch after = seen.batch.written(clock.millis());
        if (!stored(ending(seen, after))) {
            return Optional.empty();
        }
        written.increment();
        return Optional.of(after);
    }

    private Optional<Batch> fail(Seen seen, String why, boolean withSamples) {
        return fail(seen, why, withSamples, basket -> {});
    }

    /**
     * It has failed, which is told.
     *
     * @param withSamples whether they are kept for whoever looks after it
     * @param guard what has to hold besides
     * @return empty if it was changed meanwhile
     */
    Optional<Batch> fail(Seen seen, String why, boolean withSamples, Addition guard) {
        Batch after = seen.batch.failed(clock.millis(), why, withSamples);
        Commit commit = ending(seen, after);
        tell(commit, after.id(), after.points(), why);
        if (!stored(commit.with(guard))) {
            return Optional.empty();
        }
        failed.increment();
        warn(after.id(), why);
        return Optional.of(after);
    }

    private void tell(Commit commit, String id, int points, String why) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", "batch_failed");
        event.put("service", "hissrv");
        event.put("batch_id", id);
        event.put("point_count", points);
        event.put("error", why);
        site.event(commit, id, EVENT, event, clock.instant());
    }

    private void warn(String id, String why) {
        seldom.say(
                others ->
                        log.warn(
                                "A batch of samples was not written elsewhere. batch={} reason={}"
                                        + " others={}",
                                id,
                                why,
                                others));
    }

    /** It waits no more, and goes after a while. */
    private Commit ending(Seen seen, Batch after) {
        String id = after.id();
        Cell.Key key = BatchLayouts.batch(id);
        return keyspace.commit(id)
                .valueEquals(key, seen.text)
                .set(key, after.write())
                .expire(key, settings.keep())
                .removeSorted(BatchLayouts.all(BatchStatus.CREATED, id), id)
                .removeSorted(BatchLayouts.due(id), id)
                .addSorted(BatchLayouts.all(after.status(), id), (double) after.ended(), id);
    }

    /** Offers it again, for as long as before. */
    void offerAgain(Seen seen, Addition guard) {
        String id = seen.batch.id();
        Cell.Key key = BatchLayouts.batch(id);
        double due = (double) (clock.millis() + settings.retryAfter().toMillis());
        Commit commit =
                keyspace.commit(id)
                        .valueEquals(key, seen.text)
                        .set(key, seen.batch.offeredAgain().write())
                        .addSorted(BatchLayouts.due(id), due, id)
                        .with(guard);
        if (stored(commit)) {
            again.increment();
        }
    }

    /** Somebody has removed one that still waits, or put something else in its place. */
    void lost(String id, Addition guard) {
        String why = "It is gone, or something else is in its place.";
        Commit commit =
                keyspace.commit(id)
                        .memberPresent(BatchLayouts.all(BatchStatus.CREATED, id), id)
                        .removeSorted(BatchLayouts.all(BatchStatus.CREATED, id), id)
                        .removeSorted(BatchLayouts.due(id), id);
        tell(commit, id, 0, why);
        if (stored(commit.with(guard))) {
            failed.increment();
            warn(id, why);
        }
    }

    /** Forgets those whose time is over. */
    void forget(int most, Addition guard) {
        double until = (double) (clock.millis() - settings.keep().toMillis());
        for (BatchStatus status : List.of(BatchStatus.WRITTEN, BatchStatus.FAILED)) {
            for (String place : site.places(keyspace)) {
                Cell.Key index = BatchLayouts.all(status, place);
                List<Cells.Scored> over = between(index, 0, until, most);
                if (!over.isEmpty()) {
                    Commit commit = keyspace.commit(place).with(guard);
                    over.forEach(each -> commit.removeSorted(index, each.member()));
                    stored(commit);
                }
            }
        }
    }

    /** False if something was changed meanwhile. */
    private static boolean stored(Commit commit) {
        Outcome<Long> outcome = commit.run();
        if (outcome.failedBy(Reason.CONFLICT)) {
            return false;
        }
        outcome.orThrow();
        return true;
    }
}
