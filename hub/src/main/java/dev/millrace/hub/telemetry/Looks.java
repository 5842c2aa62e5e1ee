package dev.millrace.hub.telemetry;

import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointDefinition;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cells;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Looks at values that others have written, so that they count like those that came in here. Redis
 * names the key that was written, some milliseconds later, and not by whom: so what is there is
 * read and compared with what was seen last. One hub of a site does it.
 *
 * <p>Behind that, all fields that somebody watches are read once in a second: a hint may be lost, a
 * value that stays may not. A hub that begins has seen nothing, so it looks at all of them.
 *
 * <p>What this hub has written itself is known, field by field, so its own writes cost a
 * comparison. Of what nobody watches, a value counts as somebody else's if it has changed and its
 * time, which every hub writes with it, has not; where this hub has just written, that is looked at
 * when it has been quiet for a moment.
 */
final class Looks implements AutoCloseable {
    private static final Duration SWEEP = Duration.ofSeconds(1);

    /** Until somebody watches something; {@link #lookAt} says so. */
    private static final Duration NOTHING_WATCHED = Duration.ofSeconds(5);

    /** In one sweep: whole hashes are read, and others want the server too. */
    private static final int MOST_REMEMBERED = 200;

    private static final double LATEST_SECOND = 1e11;
    private static final Logger log = LoggerFactory.getLogger(Looks.class);

    private final Keyspace keyspace;
    private final ChannelBook book;
    private final Values values;
    private final ValueWrites writes;
    private final InstantSource clock;

    /** Done before the first look, where foreign writers are welcome. */
    private final Runnable atFirst;

    private final List<Contributor> watchers = new CopyOnWriteArrayList<>();
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();

    /** Sources to which this hub has written since they were read as a whole. */
    private final Set<Source> unsure = ConcurrentHashMap.newKeySet();

    private final Duty duty;

    /** Whether this hub has looked since it has the duty; of the duty's thread alone. */
    private boolean begun;

    /** Whether the last sweep found anything that somebody watches. */
    private volatile boolean watching;

    /** All fields of a source as they were. */
    private record Seen(Map<String, String> values, Map<String, String> times) {}

    Looks(
            Keyspace keyspace,
            ChannelBook book,
            Values values,
            ValueWrites writes,
            List<Contributor> watchers,
            Runnable atFirst,
            MeterRegistry figures,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.book = book;
        this.values = values;
        this.writes = writes;
        this.atFirst = atFirst;
        this.clock = clock;
        this.watchers.addAll(watchers);
        this.duty = Duty.start(keyspace, "telemetry-looks", figures, this::sweep);
    }

    // ---------------------------------------------------------------- hints

    /** Whether it is this hub that looks at what others write. */
    boolean mine() {
        return duty.held();
    }

    void noticed(ForeignWrites.Noticed noticed) {
        Set<String> keys = new LinkedHashSet<>();
        for (var cell : List.of(TelemetryLayouts.TELEMETRY, TelemetryLayouts.SIGNALS)) {
            keys.addAll(noticed.keysOf(cell.pattern()));
            if (noticed.everythingOf(cell.pattern())) {
                duty.wake();
            }
        }
        List<CompletableFuture<?>> sent = new ArrayList<>();
        for (String key : keys) {
            source(key).ifPresent(source -> sent.addAll(look(source)));
        }
        sent.forEach(CompletableFuture::join);
    }

    private Optional<Source> source(String key) {
        return Source.parse(key)
                .filter(name -> name.type().isRead())
                .map(name -> values.channel(name.channel()).source(name.type()));
    }

    /** Looks at a source of which something was written. */
    private List<CompletableFuture<?>> look(Source source) {
        long own = source.ownWrites.get();
        boolean ours = source.isOurs(own);
        source.ownSeen = own;
        Set<String> watched = watched(source.key());
        if (ours) {
            if (unsure.isEmpty() && !watching) {
                duty.wake();
            }
            unsure.add(source);
            return watched.isEmpty() ? List.of() : compare(source, watched);
        }
        return whole(source, watched);
    }

    /** Compares all that is there with what was seen before. */
    private List<CompletableFuture<?>> whole(Source source, Set<String> watched) {
        Seen now = read(source);
        Seen before = seen.put(source.key(), now);
        Set<String> changed = new LinkedHashSet<>();
        now.values()
                .forEach(
                        (field, text) -> {
                            boolean news =
                                    watched.contains(field)
                                            ? !text.equals(source.evaluated.get(field))
                                            : isForeign(field, text, before, now);
                            if (news && !field.startsWith("_")) {
                                changed.add(field);
                            }
                        });
        if (changed.isEmpty()) {
            return List.of();
        }
        return List.of(
                foreign(source, pick(now.values(), changed), at(before, now))
                        .thenAccept(result -> unlessStored(result, source, before)));
    }

    /** One of them has changed meanwhile, perhaps: the others are looked at again. */
    private void unlessStored(WriteResult result, Source source, @Nullable Seen before) {
        if (result instanceof WriteResult.Failed(Outcome<Long> outcome) && maySucceed(outcome)) {
            if (before == null) {
                seen.remove(source.key());
            } else {
                seen.put(source.key(), before);
            }
            unsure.add(source);
        }
    }

    private static boolean maySucceed(Outcome<Long> outcome) {
        return !outcome.failedBy(Reason.WRONG_TYPE)
                && !outcome.failedBy(Reason.REFUSED)
                && !outcome.failedBy(Reason.TOO_LARGE);
    }

    private Seen read(Source source) {
        Cells cells = keyspace.cells();
        var all = cells.hash(source.values);
        var times = cells.hash(source.times);
        return new Seen(all.answer().or(Map.of()), times.answer().or(Map.of()));
    }

    private static boolean isForeign(String field, String text, @Nullable Seen before, Seen now) {
        if (PointIds.point(field) == 0) {
            return false;
        }
        if (before == null) {
            // A value without a time was written by nobody of ours.
            return !now.times().containsKey(field);
        }
        return !text.equals(before.values().get(field))
                && Objects.equals(now.times().get(field), before.times().get(field));
    }

    private static Map<String, String> pick(Map<String, String> values, Set<String> fields) {
        Map<String, String> some = new LinkedHashMap<>(values);
        some.keySet().retainAll(fields);
        return some;
    }

    /** The time that its writer has set with it, if it has; else now. */
    private Instant at(@Nullable Seen before, Seen now) {
        String updated = now.values().getOrDefault("_updated_at", "");
        boolean news = before != null && !updated.equals(before.values().get("_updated_at"));
        double seconds = Numbers.parse(updated);
        return news && seconds > 0 && seconds < LATEST_SECOND
                ? Instant.ofEpochSecond((long) seconds)
                : clock.instant();
    }

    // ---------------------------------------------------------------- watched fields

    private Set<String> watched(String source) {
        if (watchers.size() == 1) {
            return watchers.getFirst().watched(source);
        }
        Set<String> all = new HashSet<>();
        watchers.forEach(each -> all.addAll(each.watched(source)));
        return all;
    }

    /** Reads these fields and takes what has changed since it was evaluated. */
    private List<CompletableFuture<?>> compare(Source source, Set<String> watched) {
        return changed(
                source, keyspace.cells().fields(source.values, watched).answer().or(Map.of()));
    }

    private List<CompletableFuture<?>> changed(Source source, Map<String, String> present) {
        Map<String, String> changed = new LinkedHashMap<>(present);
        changed.entrySet()
                .removeIf(each -> each.getValue().equals(source.evaluated.get(each.getKey())));
        return changed.isEmpty() ? List.of() : List.of(foreign(source, changed, clock.instant()));
    }

    private CompletableFuture<WriteResult> foreign(
            Source source, Map<String, String> changed, Instant at) {
        Batch batch = Batch.present(source, judged(source, changed), at, false);
        return writes.write(values.channel(source.channel), batch);
    }

    /** Somebody else's values, as the definitions of the points see them. */
    private List<Value> judged(Source source, Map<String, String> texts) {
        Optional<ChannelConfiguration> configuration = book.get(source.channel);
        List<Value> judged = new ArrayList<>(texts.size());
        texts.forEach(
                (field, text) -> {
                    double parsed = Numbers.parse(text);
                    double number = Double.isFinite(parsed) ? parsed : Double.NaN;
                    Optional<PointDefinition> point =
                            configuration.flatMap(each -> each.point(source.type, field));
                    boolean believed =
                            !Double.isNaN(number)
                                    && point.map(each -> each.believes(number)).orElse(true);
                    judged.add(
                            new Value(field, text, number, believed ? Quality.GOOD : Quality.BAD));
                });
        return judged;
    }

    private Duration sweep(Duty.Turn turn) {
        boolean first = !begun;
        if (first && !keyspace.redis().cluster()) {
            atFirst.run();
            keyspace.cells()
                    .members(TelemetryLayouts.index("1"), PointIds.LARGEST_CHANNEL)
                    .answer()
                    .or(Set.of())
                    .forEach(this::doubt);
        }
        Set<String> sources = new LinkedHashSet<>();
        watchers.forEach(each -> sources.addAll(each.sources()));
        List<Source> all = sources.stream().map(this::source).flatMap(Optional::stream).toList();
        Cells cells = keyspace.cells();
        List<Cells.Question<Map<String, String>>> questions = new ArrayList<>();
        for (Source each : all) {
            questions.add(cells.fields(each.values, watched(each.key())));
        }
        List<CompletableFuture<?>> sent = new ArrayList<>();
        for (int i = 0; i < all.size() && turn.mine(); i++) {
            Map<String, String> present = questions.get(i).answer().or(Map.of());
            if (first) {
                sent.add(first(all.get(i), present.keySet()));
            } else {
                sent.addAll(changed(all.get(i), present));
            }
        }
        sent.forEach(CompletableFuture::join);
        begun = turn.mine();
        remember();
        watching = !all.isEmpty();
        return watching || !unsure.isEmpty() ? SWEEP : NOTHING_WATCHED;
    }

    /** Nobody knows who has written to this channel while no hub looked. */
    private void doubt(String channel) {
        int id = PointIds.channel(channel);
        if (id > 0) {
            unsure.add(values.channel(id).source(PointType.T));
            unsure.add(values.channel(id).source(PointType.S));
        }
    }

    /**
     * Others may have written among what this hub has written lately: now that it is quiet there,
     * their values are found, and what is there is what is compared with from now on.
     */
    private void remember() {
        int left = MOST_REMEMBERED;
        for (Iterator<Source> each = unsure.iterator(); each.hasNext() && left > 0; left--) {
            Source source = each.next();
            if (source.writtenLately()) {
                continue; // it will be another one in a moment
            }
            each.remove();
            whole(source, watched(source.key())).forEach(CompletableFuture::join);
        }
    }

    // ---------------------------------------------------------------- a first look

    /** Looks at the present values of these fields as if they had been written now. */
    void lookAt(String key, Set<String> fields) {
        if (!watching) {
            duty.wake();
        }
        source(key)
                .ifPresent(
                        source ->
                                Thread.startVirtualThread(
                                        () -> {
                                            try {
                                                first(source, fields).join();
                                            } catch (RedisException e) {
                                                // The sweep will find what has changed.
                                                log.warn(
                                                        "Values could not be looked at. source={}"
                                                                + " reason={}",
                                                        key,
                                                        e.getMessage());
                                                source.evaluated.keySet().removeAll(fields);
                                            }
                                        }));
    }

    private CompletableFuture<?> first(Source source, Set<String> fields) {
        Values.Stored stored = values.some(source.channel, source.type, Set.copyOf(fields));
        if (stored.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<Value> present =
                stored.values().keySet().stream()
                        .map(each -> stored.present(each).value())
                        .toList();
        Set<String> untimed = new HashSet<>(stored.values().keySet());
        untimed.removeAll(stored.times().keySet());
        Batch batch = Batch.looked(source, present, clock.instant(), untimed);
        return writes.write(values.channel(source.channel), batch);
    }

    @Override
    public void close() {
        duty.close();
    }
}
