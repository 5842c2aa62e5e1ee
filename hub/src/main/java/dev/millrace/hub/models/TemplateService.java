package dev.millrace.hub.models;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.ConfigurationKind;
import dev.millrace.hub.site.Site;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Store;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Templates, and what is made of them. Thread-safe. */
final class TemplateService {
    private static final String VERSION = "_version";
    private static final int ATTEMPTS = 64;
    private static final int MOST = 1000;

    private final Keyspace keyspace;
    private final Site site;
    private final ModelBook book;
    private final ModelService models;
    private final InstantSource clock;
    private final Store<Template> store;

    TemplateService(
            Keyspace keyspace,
            Site site,
            ModelBook book,
            ModelService models,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.book = book;
        this.models = models;
        this.clock = clock;
        this.store = keyspace.store(ModelsLayouts.TEMPLATES);
    }

    /** What became of a template. */
    sealed interface Saved {
        record Done(Template template, boolean created) implements Saved {}

        record Not(Refused why) implements Saved {}
    }

    Optional<Template> get(String id) {
        return ModelReader.ID.matcher(id).matches()
                        && keyspace.catalogue().refusal(ModelsLayouts.TEMPLATES, id).isEmpty()
                ? store.get(id).map(Stored::value)
                : Optional.empty();
    }

    List<Template> all() {
        return store.query(ModelsLayouts.TEMPLATE_INDEX).limit(MOST).page().values();
    }

    /**
     * Stores a template.
     *
     * @param onlyNew whether there must be none yet
     */
    Saved save(String id, ObjectNode given, OptionalLong expected, boolean onlyNew, String user) {
        return switch (TemplateReader.read(id, ModelService.bare(given))) {
            case ModelReader.Read.Bad<Template>(Refused why) -> new Saved.Not(why);
            case ModelReader.Read.Good<Template>(Template wanted) -> {
                Saved saved = again(() -> attempt(wanted, expected, onlyNew, user));
                if (saved instanceof Saved.Done(Template template, boolean created) && !created) {
                    followers(template, user);
                }
                yield saved;
            }
        };
    }

    private record Attempt(Outcome<Long> outcome, Saved result) {
        static Attempt ended(EmsCode code, String sentence) {
            return new Attempt(Outcome.done(0L), new Saved.Not(Refused.of(code, sentence)));
        }
    }

    private static Saved again(Supplier<Attempt> change) {
        Attempt last = change.get();
        for (int i = 1; i < ATTEMPTS && ModelWrites.overtaken(last.outcome); i++) {
            last = change.get();
        }
        if (ModelWrites.overtaken(last.outcome)) {
            throw new RedisException(
                    Reason.UNAVAILABLE, "Others change the configuration at once; try again.");
        }
        last.outcome.orThrow();
        return last.result;
    }

    private Attempt attempt(Template wanted, OptionalLong expected, boolean onlyNew, String user) {
        String id = wanted.id();
        Optional<Stored<Template>> before = store.get(id);
        if (onlyNew && before.isPresent()) {
            return Attempt.ended(
                    EmsCode.ALREADY_EXISTS, "There is a template %s already.".formatted(id));
        }
        Optional<ObjectNode> old = before.map(each -> each.value().document());
        long version = old.map(each -> each.path(VERSION).asLong(0)).orElse(0L);
        if (expected.isPresent() && expected.getAsLong() != version) {
            return Attempt.ended(
                    EmsCode.VERSION_MISMATCH,
                    "The template has version %d by now.".formatted(version));
        }
        if (old.isPresent()
                && version > 0
                && ModelService.bare(old.get()).equals(wanted.document())) {
            return new Attempt(Outcome.done(0L), new Saved.Done(before.get().value(), false));
        }
        if (before.isEmpty() && store.query(ModelsLayouts.TEMPLATE_INDEX).count() >= MOST) {
            return Attempt.ended(EmsCode.QUEUE_FULL, "There are 1,000 templates already.");
        }
        Site.Version from = site.version(keyspace);
        Instant now = clock.instant();
        ObjectNode stamped = wanted.document().deepCopy();
        stamped.put(VERSION, from.next());
        stamped.put("_updated_at", now.getEpochSecond());
        Template after = new Template(id, stamped);
        Commit commit = keyspace.commitAtSite();
        if (before.isPresent()) {
            commit.replace(ModelsLayouts.TEMPLATES, before.get(), after);
        } else {
            commit.create(ModelsLayouts.TEMPLATES, after);
        }
        String key = ModelsLayouts.TEMPLATES.pattern().key(id);
        site.change(commit, from, new Site.Change(key, old, Optional.of(stamped), user), now);
        return new Attempt(commit.run(), new Saved.Done(after, before.isEmpty()));
    }

    /** Models made of it. */
    List<String> users(String id) {
        return book.models().stream()
                .filter(each -> each.template().equals(id))
                .map(Model::id)
                .sorted()
                .toList();
    }

    Saved delete(String id, String user) {
        if (get(id).isEmpty()) {
            return new Saved.Not(unknown(id));
        }
        return again(
                () -> {
                    Optional<Stored<Template>> before = store.get(id);
                    if (before.isEmpty()) {
                        return new Attempt(Outcome.done(0L), new Saved.Not(unknown(id)));
                    }
                    // A model that is made of it meanwhile counts, and the commit is refused.
                    Site.Version from = site.version(keyspace);
                    book.reload();
                    List<String> users = users(id);
                    if (!users.isEmpty()) {
                        return new Attempt(
                                Outcome.done(0L),
                                new Saved.Not(
                                        Refused.of(
                                                        EmsCode.TEMPLATE_IN_USE,
                                                        "%d models are made of the template %s."
                                                                .formatted(users.size(), id))
                                                .with("models", users)));
                    }
                    ObjectNode old = before.get().value().document();
                    Commit commit =
                            keyspace.commitAtSite().delete(ModelsLayouts.TEMPLATES, before.get());
                    site.change(
                            commit,
                            from,
                            new Site.Change(
                                    ModelsLayouts.TEMPLATES.pattern().key(id),
                                    Optional.of(old),
                                    Optional.empty(),
                                    user),
                            clock.instant());
                    return new Attempt(commit.run(), new Saved.Done(before.get().value(), false));
                });
    }

    static Refused unknown(String id) {
        return Refused.of(EmsCode.TEMPLATE_NOT_FOUND, "There is no template %s.".formatted(id));
    }

    // ---------------------------------------------------------------- models of it

    /** Makes a model. */
    ConfigurationKind.Saved model(String templateId, String modelId, ObjectNode said, String user) {
        Optional<Template> template = get(templateId);
        if (template.isEmpty()) {
            return new ConfigurationKind.Saved.Not(unknown(templateId));
        }
        Optional<Refused> mistake = ModelReader.mistake(modelId);
        if (mistake.isPresent()) {
            return new ConfigurationKind.Saved.Not(mistake.get());
        }
        return switch (TemplateReader.model(template.get(), modelId, said)) {
            case ModelReader.Read.Bad<ObjectNode>(Refused why) ->
                    new ConfigurationKind.Saved.Not(why);
            case ModelReader.Read.Good<ObjectNode>(ObjectNode model) ->
                    models.save(modelId, model, OptionalLong.empty(), true, user);
        };
    }

    private void followers(Template template, String user) {
        for (String id : users(template.id())) {
            boolean follows =
                    models.get(id)
                            .filter(each -> each.path("auto_apply").asBoolean(false))
                            .isPresent();
            if (follows) {
                apply(template, List.of(id), user);
            }
        }
    }

    /**
     * What came of it.
     *
     * @param done ids of models
     * @param refused ids, with the reason
     */
    record Applied(List<String> done, Map<String, String> refused) {}

    /** Gives models the present template again; what was mapped by hand stays. */
    Applied apply(Template template, List<String> ids, String user) {
        List<String> done = new ArrayList<>();
        Map<String, String> refused = new LinkedHashMap<>();
        for (String id : ids) {
            Optional<ObjectNode> before = models.get(id);
            if (before.isEmpty()
                    || !before.get().path("template").asString("").equals(template.id())) {
                refused.put(id, "It is not made of this template.");
                continue;
            }
            ObjectNode said = known(template, before.get());
            switch (TemplateReader.model(template, id, said)) {
                case ModelReader.Read.Bad<ObjectNode>(Refused why) ->
                        refused.put(id, why.message());
                case ModelReader.Read.Good<ObjectNode>(ObjectNode model) -> {
                    switch (models.save(id, model, OptionalLong.empty(), false, user)) {
                        case ConfigurationKind.Saved.Done saved -> done.add(id);
                        case ConfigurationKind.Saved.Not(Refused why) ->
                                refused.put(id, why.message());
                    }
                }
            }
        }
        return new Applied(done, refused);
    }

    /** What the model says of itself that the template still has; formulas come anew. */
    private static ObjectNode known(Template template, ObjectNode before) {
        ObjectNode said = ModelService.bare(before);
        said.put("strict", false);
        said.remove("alarms");
        ObjectNode mappings = Json.MAPPER.createObjectNode();
        for (String kind : List.of("measurement", "action")) {
            ObjectNode kept = mappings.putObject(kind);
            var described =
                    kind.equals("measurement") ? template.measurements() : template.actions();
            before.path("mappings")
                    .path(kind)
                    .properties()
                    .forEach(
                            each -> {
                                if (described.has(each.getKey())
                                        && !described.path(each.getKey()).has("expression")) {
                                    kept.set(each.getKey(), each.getValue());
                                }
                            });
        }
        said.set("mappings", mappings);
        return said;
    }
}
