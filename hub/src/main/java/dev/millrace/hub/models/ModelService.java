package dev.millrace.hub.models;

import dev.millrace.hub.alarms.AlarmRules;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.ConfigurationKind;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.Points;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Store;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Models that are made, changed and deleted, each in one commit with all that belongs to it: both
 * configurations, indexes, the map of points, alarm rules, the counts. Thread-safe.
 */
final class ModelService implements ConfigurationKind {
    private static final String VERSION = "_version";
    private static final String UPDATED = "_updated_at";
    private static final int ATTEMPTS = 64;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;
    private static final int MOST_MODELS = 10_000;
    private static final int LARGEST = 1 << 20;

    private final Keyspace keyspace;
    private final Site site;
    private final ModelBook book;
    private final ModelWrites writes;
    private final AlarmRules rules;
    private final InstantSource clock;
    private final Store<ModelConfiguration> store;

    /** One number counts all changes, so those of this hub come one after another. */
    private final ReentrantLock changing = new ReentrantLock(true);

    ModelService(
            Keyspace keyspace,
            Site site,
            ModelBook book,
            ModelWrites writes,
            AlarmRules rules,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.book = book;
        this.writes = writes;
        this.rules = rules;
        this.clock = clock;
        this.store = keyspace.store(ModelsLayouts.MODELS);
    }

    // ---------------------------------------------------------------- as a kind of configuration

    @Override
    public String word() {
        return "models";
    }

    @Override
    public KeyPattern pattern() {
        return ModelsLayouts.SUBMITTED.pattern();
    }

    @Override
    public List<String> ids() {
        return book.models().stream().map(Model::id).sorted().toList();
    }

    /** As it was submitted. */
    @Override
    public Optional<ObjectNode> get(String id) {
        return ModelReader.mistake(id).isPresent()
                ? Optional.empty()
                : object(keyspace.value(ModelsLayouts.SUBMITTED.at(id)));
    }

    private static Optional<ObjectNode> object(Optional<byte[]> raw) {
        try {
            return raw.isPresent() && Json.MAPPER.readTree(raw.get()) instanceof ObjectNode object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** As it works. */
    Optional<ModelConfiguration> effective(String id) {
        return ModelReader.mistake(id).isPresent()
                ? Optional.empty()
                : store.get(id).map(Stored::value);
    }

    @Override
    public Optional<Refused> mistake(String id, ObjectNode document) {
        return ModelReader.effective(id, bare(document))
                        instanceof ModelReader.Read.Bad<ObjectNode>(Refused why)
                ? Optional.of(why)
                : wrongAlarm(id, document);
    }

    private Optional<Refused> wrongAlarm(String id, ObjectNode document) {
        for (Map.Entry<String, ObjectNode> each : alarms(id, document).entrySet()) {
            Optional<Refused> why = rules.mistake(each.getKey(), each.getValue());
            if (why.isPresent()) {
                return why;
            }
        }
        return Optional.empty();
    }

    static ObjectNode bare(ObjectNode document) {
        ObjectNode bare = document.deepCopy();
        bare.remove(List.of(VERSION, UPDATED));
        return bare;
    }

    @Override
    public Saved put(String id, ObjectNode document, OptionalLong expected, String user) {
        return save(id, document, expected, false, user);
    }

    // ---------------------------------------------------------------- saving

    /**
     * Stores a model.
     *
     * @param onlyNew whether there must be none yet
     */
    Saved save(
            String id, ObjectNode document, OptionalLong expected, boolean onlyNew, String user) {
        ObjectNode submitted = bare(document);
        submitted.put("id", id);
        if (Json.write(submitted).length > LARGEST) {
            return refused(EmsCode.PAYLOAD_TOO_LARGE, "A model has at most 1 MiB.");
        }
        Optional<Refused> mistake = mistake(id, submitted);
        if (mistake.isPresent()) {
            return new Saved.Not(mistake.get());
        }
        ObjectNode wanted =
                ((ModelReader.Read.Good<ObjectNode>) ModelReader.effective(id, submitted)).value();
        return again(() -> attempt(id, submitted, wanted, expected, onlyNew, user));
    }

    private static Saved refused(EmsCode code, String sentence) {
        return new Saved.Not(Refused.of(code, sentence));
    }

    private record Attempt(Outcome<Long> outcome, Saved result) {
        static Attempt ended(Saved result) {
            return new Attempt(Outcome.done(0L), result);
        }
    }

    private interface Try {
        Attempt once();
    }

    private Saved again(Try change) {
        changing.lock();
        try {
            Attempt last = change.once();
            for (int i = 1; i < ATTEMPTS && ModelWrites.overtaken(last.outcome); i++) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
                last = change.once();
            }
            if (ModelWrites.overtaken(last.outcome)) {
                throw new RedisException(
                        Reason.UNAVAILABLE, "Others change the configuration at once; try again.");
            }
            last.outcome.orThrow();
            return last.result;
        } finally {
            changing.unlock();
        }
    }

    private Attempt attempt(
            String id,
            ObjectNode submitted,
            ObjectNode wanted,
            OptionalLong expected,
            boolean onlyNew,
            String user) {
        Optional<Stored<ModelConfiguration>> before = store.get(id);
        Optional<byte[]> rawBefore = keyspace.value(ModelsLayouts.SUBMITTED.at(id));
        Optional<ObjectNode> old = object(rawBefore);
        if (onlyNew && before.isPresent()) {
            return Attempt.ended(
                    refused(EmsCode.ALREADY_EXISTS, "There is a model %s already.".formatted(id)));
        }
        long version = old.map(each -> each.path(VERSION).asLong(0)).orElse(0L);
        if (expected.isPresent() && expected.getAsLong() != version) {
            return Attempt.ended(
                    new Saved.Not(
                            Refused.of(
                                            EmsCode.VERSION_MISMATCH,
                                            "The model has version %d by now.".formatted(version))
                                    .with("version", version)));
        }
        if (before.isPresent()
                && version > 0
                && old.filter(each -> bare(each).equals(submitted)).isPresent()) {
            return Attempt.ended(new Saved.Done(old.get(), false));
        }
        if (before.isEmpty() && book.models().size() >= MOST_MODELS) {
            return Attempt.ended(refused(EmsCode.QUEUE_FULL, "There are 10,000 models already."));
        }
        Site.Version from = site.version(keyspace);
        Instant now = clock.instant();
        ObjectNode stamped = stamped(submitted, from, now);
        ModelConfiguration after = new ModelConfiguration(id, stamped(wanted, from, now));
        Commit commit = keyspace.commitAtSite();
        if (before.isPresent()) {
            commit.replace(ModelsLayouts.MODELS, before.get(), after);
        } else {
            commit.create(ModelsLayouts.MODELS, after);
        }
        Cell.Key key = ModelsLayouts.SUBMITTED.at(id);
        rawBefore.ifPresentOrElse(raw -> commit.valueEquals(key, raw), () -> commit.absent(key));
        commit.set(key, Json.write(stamped));
        map(commit, before.map(each -> model(each.value())), Optional.of(model(after)));
        if (before.isEmpty()) {
            commit.setFields(
                    ModelsLayouts.STATUS.at(id),
                    Map.of(
                            "state",
                            ModelState.NORMAL,
                            "last_update",
                            Long.toString(now.getEpochSecond()),
                            "error_msg",
                            ""));
        }
        ruleChanges(commit, id, before.map(each -> each.value().document()), wanted, user);
        counted(commit, from, new Site.Change(key.key(), old, Optional.of(stamped), user), now);
        Outcome<Long> outcome = commit.run();
        if (outcome.isStored()) {
            done(id);
            book.get(id).ifPresent(this::fill);
        }
        return new Attempt(outcome, new Saved.Done(stamped, before.isEmpty()));
    }

    /** A model that is there at last has the values that its points have. */
    private void fill(Model model) {
        Map<String, Points.Present> inputs = writes.state(model).inputs();
        if (!inputs.isEmpty()) {
            writes.write(new ModelWrites.Change(model, inputs, Map.of(), clock.instant(), false));
        }
    }

    private void done(String id) {
        book.reload();
        writes.forget(id);
        rules.changed(Model.source(id));
    }

    private static ObjectNode stamped(ObjectNode document, Site.Version from, Instant now) {
        ObjectNode stamped = document.deepCopy();
        stamped.put(VERSION, from.next());
        stamped.put(UPDATED, now.getEpochSecond());
        return stamped;
    }

    private static Model model(ModelConfiguration configuration) {
        return ModelReader.model(configuration) instanceof ModelReader.Read.Good<Model>(Model good)
                ? good
                : new Model(configuration.id(), "", "", "", Map.of(), Map.of());
    }

    private void counted(Commit commit, Site.Version from, Site.Change change, Instant now) {
        site.change(commit, from, change, now);
        site.size(
                commit,
                Declaration.SITE,
                Site.Counted.TOTAL_MODELS,
                ModelsLayouts.MODELS,
                ModelsLayouts.INDEX);
    }

    /** Which points feed the model; what others have put into the map stays. */
    private void map(Commit commit, Optional<Model> before, Optional<Model> after) {
        Map<String, List<String>> gone = before.map(Model::targets).orElse(Map.of());
        Map<String, List<String>> come = after.map(Model::targets).orElse(Map.of());
        Set<String> sources = new LinkedHashSet<>(gone.keySet());
        sources.addAll(come.keySet());
        if (sources.isEmpty()) {
            return;
        }
        Cell.Key map = ModelsLayouts.MAP.at();
        Map<String, String> present = keyspace.cells().fields(map, sources).answer().or(Map.of());
        Map<String, String> set = new LinkedHashMap<>();
        List<String> remove = new ArrayList<>();
        for (String source : sources) {
            String text = present.getOrDefault(source, "");
            String now =
                    PointMap.changed(
                            text,
                            gone.getOrDefault(source, List.of()),
                            come.getOrDefault(source, List.of()));
            if (now.equals(text)) {
                continue;
            }
            if (present.containsKey(source)) {
                commit.fieldEquals(map, source, text);
            } else {
                commit.fieldAbsent(map, source);
            }
            if (now.isEmpty()) {
                remove.add(source);
            } else {
                set.put(source, now);
            }
        }
        commit.setFields(map, set).removeFields(map, remove);
    }

    // ---------------------------------------------------------------- alarm rules

    /** The alarm rules that a model's configuration asks for, by their ids. */
    private static Map<String, ObjectNode> alarms(String id, ObjectNode document) {
        Map<String, ObjectNode> alarms = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> each : document.path("alarms").properties()) {
            ObjectNode rule =
                    each.getValue() instanceof ObjectNode given
                            ? given.deepCopy()
                            : Json.MAPPER.createObjectNode();
            rule.put("source_key", Model.source(id));
            if (rule.has("level") && !rule.has("alarm_level")) {
                rule.set("alarm_level", rule.get("level"));
            }
            alarms.put(id + "." + each.getKey(), rule);
        }
        return alarms;
    }

    private void ruleChanges(
            Commit commit, String id, Optional<ObjectNode> before, ObjectNode wanted, String user) {
        Map<String, ObjectNode> old = before.map(document -> alarms(id, document)).orElse(Map.of());
        Map<String, ObjectNode> now = alarms(id, wanted);
        old.keySet().stream()
                .filter(each -> !now.containsKey(each))
                .forEach(each -> rules.remove(commit, each, user));
        now.forEach(
                (each, rule) -> {
                    if (!rule.equals(old.get(each))) {
                        rules.put(commit, each, rule, user);
                    }
                });
    }

    // ---------------------------------------------------------------- deleting

    @Override
    public Saved delete(String id, boolean force, String user) {
        if (ModelReader.mistake(id).isPresent()) {
            return unknown(id);
        }
        return again(
                () -> {
                    Optional<Stored<ModelConfiguration>> before = store.get(id);
                    if (before.isEmpty()) {
                        return Attempt.ended(unknown(id));
                    }
                    Optional<ObjectNode> old = get(id);
                    Site.Version from = site.version(keyspace);
                    Instant now = clock.instant();
                    Commit commit =
                            keyspace.commitAtSite()
                                    .delete(ModelsLayouts.MODELS, before.get())
                                    .delete(ModelsLayouts.SUBMITTED.at(id))
                                    .delete(ModelsLayouts.MEASUREMENT.at(id))
                                    .delete(ModelsLayouts.ACTION.at(id))
                                    .delete(ModelsLayouts.STATUS.at(id))
                                    .removeField(ModelsLayouts.WRITTEN.at(), id);
                    map(commit, Optional.of(model(before.get().value())), Optional.empty());
                    rules.of(Model.source(id)).forEach(each -> rules.remove(commit, each, user));
                    String key = ModelsLayouts.SUBMITTED.at(id).key();
                    counted(commit, from, new Site.Change(key, old, Optional.empty(), user), now);
                    Outcome<Long> outcome = commit.run();
                    if (outcome.isStored()) {
                        done(id);
                    }
                    return new Attempt(
                            outcome,
                            new Saved.Done(old.orElseGet(before.get().value()::document), false));
                });
    }

    private static Saved unknown(String id) {
        return new Saved.Not(unknownModel(id));
    }

    static Refused unknownModel(String id) {
        return Refused.of(EmsCode.MODEL_NOT_FOUND, "There is no model %s.".formatted(id));
    }
}
