package dev.millrace.hub.models;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.Contributor;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.hub.telemetry.Quality;
import dev.millrace.hub.telemetry.Value;
import dev.millrace.hub.telemetry.Written;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Writes values of models. A measurement is one JSON text, so whoever changes a member compares the
 * whole with what it was read as: nobody's member is lost, from however many hubs. The commit
 * carries the status, what alarms make of it, the log and the fact for those who listen.
 *
 * <p>What was read is remembered; when it is not the truth any more, the commit is refused, and all
 * is read again. Thread-safe.
 */
final class ModelWrites {
    static final int MOST_LOGGED = 1000;
    private static final int ATTEMPTS = 64;
    private static final long LONGEST_PAUSE_NANOS = 10_000_000;

    private final Keyspace keyspace;
    private final Site site;
    private final Points points;
    private final Feed feed;
    private final List<Contributor> contributors = new CopyOnWriteArrayList<>();
    private final Map<String, ModelState> states = new ConcurrentHashMap<>();

    /** Commits are put together and sent under it, so alarms see values in their order. */
    private final ReentrantLock sending = new ReentrantLock();

    ModelWrites(Keyspace keyspace, Site site, Points points, List<Contributor> contributors) {
        this.keyspace = keyspace;
        this.site = site;
        this.points = points;
        this.feed = keyspace.feed(ModelsLayouts.TOPIC);
        this.contributors.addAll(contributors);
    }

    /**
     * New values for one model.
     *
     * @param given of its points, by reference
     * @param direct of its measurements
     * @param initial whether they are only looked at
     */
    record Change(
            Model model,
            Map<String, Points.Present> given,
            Map<String, JsonNode> direct,
            Instant at,
            boolean initial) {}

    /** What came of a commit: how it ended, and the alarm rules that went off or calmed down. */
    record Result(Outcome<Long> outcome, List<String> triggered, List<String> cleared) {}

    // ---------------------------------------------------------------- what is known

    ModelState state(Model model) {
        return states.computeIfAbsent(model.id(), id -> read(model));
    }

    /** Somebody else may have changed it. */
    void forget(String id) {
        states.remove(id);
    }

    void forgetAll() {
        states.clear();
    }

    private ModelState read(Model model) {
        Map<String, Set<String>> bySource = new TreeMap<>();
        for (Member.Point each : model.inputs()) {
            bySource.computeIfAbsent(each.source(), key -> new TreeSet<>()).add(each.point());
        }
        Map<String, Points.Present> inputs = new HashMap<>();
        bySource.forEach(
                (source, fields) ->
                        points.presentOf(source, fields)
                                .forEach(
                                        (field, present) ->
                                                inputs.put(source + ":" + field, present)));
        String state =
                keyspace.cells()
                        .fields(ModelsLayouts.STATUS.at(model.id()), List.of("state"))
                        .answer()
                        .or(Map.of())
                        .getOrDefault("state", "");
        return ModelState.of(
                keyspace.value(ModelsLayouts.MEASUREMENT.at(model.id())).orElse(null),
                inputs,
                state);
    }

    /** Whether somebody watches a field of it, as far as everybody knows already. */
    boolean isWatched(String model) {
        return contributors.stream()
                .anyMatch(each -> !each.isReady() || !each.watched(Model.source(model)).isEmpty());
    }

    // ---------------------------------------------------------------- writing

    /** One change, tried until nobody is faster. */
    Result write(Change change) {
        Result last = once(List.of(change), List.of());
        for (int i = 1; i < ATTEMPTS && overtaken(last.outcome); i++) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
            last = once(List.of(change), List.of());
        }
        if (overtaken(last.outcome)) {
            throw new RedisException(
                    Reason.UNAVAILABLE,
                    change.model().id() + " is being changed by others all the time; try again.");
        }
        return last;
    }

    static boolean overtaken(Outcome<?> outcome) {
        return outcome.failedBy(Reason.CONFLICT)
                || outcome.failedBy(Reason.DUPLICATE)
                || outcome.failedBy(Reason.ABSENT);
    }

    /** One commit for some models; what is remembered of them is forgotten if it is not done. */
    Result once(List<Change> changes, List<Addition> more) {
        return onceBeside(changes, commit -> more.forEach(commit::with));
    }

    /** The same with whatever else belongs into the commit. */
    Result onceBeside(List<Change> changes, Consumer<Commit> beside) {
        Map<String, ModelState> after = new LinkedHashMap<>();
        List<Contributor.Contribution> contributions = new ArrayList<>();
        CompletableFuture<Outcome<Long>> sent;
        Map<Change, ModelState> before = new LinkedHashMap<>();
        changes.forEach(each -> before.put(each, state(each.model())));
        sending.lock();
        try {
            Commit commit = keyspace.commitAtSite();
            beside.accept(commit);
            before.forEach(
                    (change, state) ->
                            after.put(
                                    change.model().id(),
                                    add(commit, change, state, contributions)));
            commit.afterwards(outcome -> contributions.forEach(each -> each.ended(outcome)));
            sent = commit.send();
        } finally {
            sending.unlock();
        }
        Outcome<Long> outcome = sent.join();
        if (outcome.isStored()) {
            states.putAll(after);
        } else {
            after.keySet().forEach(states::remove);
        }
        return new Result(
                outcome,
                contributions.stream().flatMap(each -> each.triggered().stream()).toList(),
                contributions.stream().flatMap(each -> each.cleared().stream()).toList());
    }

    private ModelState add(
            Commit commit,
            Change change,
            ModelState before,
            List<Contributor.Contribution> contributions) {
        Model model = change.model();
        ModelState.Step step = before.with(model, change.given(), change.direct());
        ModelState after = step.after();
        Cell.Key key = ModelsLayouts.MEASUREMENT.at(model.id());
        byte[] raw = before.raw();
        if (raw == null) {
            commit.absent(key);
        } else {
            commit.valueEquals(key, raw);
        }
        ModelState.Health health = after.health(model);
        if (!step.changed().isEmpty()) {
            if (!Arrays.equals(raw, after.raw())) {
                byte[] text = Objects.requireNonNull(after.raw());
                commit.set(key, text);
                sign(commit, model.id(), text);
            }
            tell(commit, change, after, step.changed());
            contribute(commit, change, after, step.changed(), true, contributions);
        }
        commit.setFields(
                ModelsLayouts.STATUS.at(model.id()),
                Map.of(
                        "state",
                        health.state(),
                        "last_update",
                        Long.toString(change.at().getEpochSecond()),
                        "error_msg",
                        health.error()));
        if (!health.state().equals(before.state())) {
            event(commit, change, before, health);
        }
        return after.told(health.state());
    }

    /** Every hub knows by it that no stranger has written this. */
    private static void sign(Commit commit, String model, byte[] text) {
        commit.setFields(ModelsLayouts.WRITTEN.at(), Map.of(model, fingerprint(text)));
    }

    static String fingerprint(byte[] text) {
        CRC32C sum = new CRC32C();
        sum.update(text);
        return text.length + "-" + Long.toHexString(sum.getValue());
    }

    /** The members of a measurement that stands there are looked at as if they were new. */
    void look(Model model, Set<String> names, Instant at) {
        look(model, names, at, null);
    }

    /**
     * The same of what somebody else has written, which is told like any other change.
     *
     * @param signed what hubs have written last, as it was read. If it is something else by now, a
     *     hub has written meanwhile, and what stands there is its own: nothing happens.
     */
    void foreign(Model model, Set<String> names, Instant at, String signed) {
        look(model, names, at, signed);
    }

    private void look(Model model, Set<String> names, Instant at, @Nullable String signed) {
        List<Contributor.Contribution> contributions = new ArrayList<>();
        CompletableFuture<Outcome<Long>> sent;
        ModelState state = state(model);
        byte[] raw = state.raw();
        if (raw == null) {
            return;
        }
        sending.lock();
        try {
            Commit commit = keyspace.commitAtSite();
            commit.valueEquals(ModelsLayouts.MEASUREMENT.at(model.id()), raw);
            Change change = new Change(model, Map.of(), Map.of(), at, signed == null);
            contribute(commit, change, state, names, false, contributions);
            if (signed != null) {
                if (signed.isEmpty()) {
                    commit.fieldAbsent(ModelsLayouts.WRITTEN.at(), model.id());
                } else {
                    commit.fieldEquals(ModelsLayouts.WRITTEN.at(), model.id(), signed);
                }
                tell(commit, change, state, names);
                sign(commit, model.id(), raw);
            }
            commit.afterwards(outcome -> contributions.forEach(each -> each.ended(outcome)));
            sent = commit.send();
        } finally {
            sending.unlock();
        }
        if (!sent.join().isStored()) {
            states.remove(model.id());
        }
    }

    private void contribute(
            Commit commit,
            Change change,
            ModelState after,
            Set<String> names,
            boolean stored,
            List<Contributor.Contribution> contributions) {
        List<Value> values = new ArrayList<>();
        after.some(names)
                .forEach((name, node) -> values.add(value(change.model(), after, name, node)));
        Written written =
                new Written(
                        change.model().source(),
                        0,
                        values,
                        change.at(),
                        change.initial(),
                        stored,
                        () -> Origin.ofValue(change.at().toEpochMilli()));
        for (Contributor each : contributors) {
            contributions.add(each.contribute(written, commit));
        }
    }

    static Value value(Model model, ModelState state, String name, JsonNode node) {
        double number =
                node.isNumber()
                        ? node.doubleValue()
                        : node.isBoolean() ? (node.booleanValue() ? 1 : 0) : Double.NaN;
        Quality quality = Double.isNaN(number) ? Quality.BAD : Quality.GOOD;
        if (model.members().get(name) instanceof Member.Mapped mapped) {
            Points.Present present = state.inputs().get(mapped.point().reference());
            quality = present == null ? quality : present.value().quality();
        }
        return new Value(name, node.asString(""), number, quality);
    }

    private void tell(Commit commit, Change change, ModelState after, Set<String> names) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("model_id", change.model().id());
        line.put("changes", after.some(names));
        line.put("timestamp", Long.toString(change.at().getEpochSecond()));
        byte[] json = Json.write(line);
        commit.logIfList(
                ModelsLayouts.MEASUREMENT_LOG.at(),
                ModelsLayouts.MEASUREMENT_NUMBER.at(),
                "{\"seq\":",
                "," + new String(json, 1, json.length - 1, UTF_8),
                MOST_LOGGED);
        Map<String, Object> fact = new LinkedHashMap<>();
        fact.put("model_id", change.model().id());
        fact.put("timestamp", change.at().toString());
        fact.put("values", after.some(names));
        commit.with(feed.fact(Json.write(fact)));
    }

    private void event(Commit commit, Change change, ModelState before, ModelState.Health health) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", health.state());
        event.put("model_id", change.model().id());
        event.put("name", change.model().name());
        event.put("previous", before.state());
        event.put("error_msg", health.error());
        site.event(commit, Declaration.SITE, "model", event, change.at());
        Map<String, @Nullable Object> fact = new LinkedHashMap<>();
        fact.put("model_id", change.model().id());
        fact.put("timestamp", change.at().toString());
        fact.put("state", health.state());
        commit.with(feed.fact(Json.write(fact)));
    }
}
