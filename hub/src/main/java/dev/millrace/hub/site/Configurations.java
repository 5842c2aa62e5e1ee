package dev.millrace.hub.site;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.store.Cells;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All configuration together: what was changed lately, what it was before, and all of it as one
 * document. Each kind is changed by the room that it belongs to, piece by piece; every accepted
 * change counts. Thread-safe.
 */
final class Configurations {
    private static final Logger log = LoggerFactory.getLogger(Configurations.class);
    private static final String SYSTEM = "system";

    private final Keyspace keyspace;
    private final SiteKeys site;
    private final SystemConfiguration system;

    Configurations(Keyspace keyspace, SiteKeys site, SystemConfiguration system) {
        this.keyspace = keyspace;
        this.site = site;
        this.system = system;
    }

    long version() {
        return site.version(keyspace).next() - 1;
    }

    Optional<ConfigurationKind> kind(String word) {
        return site.kinds().stream().filter(each -> each.word().equals(word)).findFirst();
    }

    // ---------------------------------------------------------------- what was

    /** The changes that are kept, newest first. */
    List<ObjectNode> snapshots() {
        long newest = version();
        Cells cells = keyspace.cells();
        List<Cells.Question<String>> questions = new ArrayList<>();
        for (long v = newest; v > Math.max(0, newest - SiteKeys.MOST_SNAPSHOTS); v--) {
            questions.add(cells.string(SiteLayouts.CONFIGURATION_SNAPSHOT.at(Long.toString(v))));
        }
        List<ObjectNode> all = new ArrayList<>();
        for (Cells.Question<String> each : questions) {
            parsed(each.answer().or("")).ifPresent(all::add);
        }
        fill(all);
        return all;
    }

    private static Optional<ObjectNode> parsed(String text) {
        try {
            return Json.MAPPER.readTree(text) instanceof ObjectNode object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** What was left out of one stands in the next of the same key, or is what there is now. */
    private void fill(List<ObjectNode> newestFirst) {
        Map<String, JsonNode> later = new LinkedHashMap<>();
        for (ObjectNode snapshot : newestFirst) {
            for (JsonNode change : snapshot.path("changes")) {
                if (change instanceof ObjectNode one) {
                    String key = one.path("key").asString("");
                    if (one.has("new_left_out")) {
                        one.remove("new_left_out");
                        JsonNode known = later.get(key);
                        one.set("new", known == null ? present(key) : known);
                    }
                    later.put(key, one.path("old"));
                }
            }
        }
    }

    private JsonNode present(String key) {
        return piece(key)
                .flatMap(piece -> piece.kind().get(piece.id()))
                .map(JsonNode.class::cast)
                .orElseGet(
                        () ->
                                key.equals(SystemConfiguration.key().key())
                                        ? system.document()
                                        : Json.MAPPER.nullNode());
    }

    /** A key of some kind. */
    private record Piece(ConfigurationKind kind, String id) {}

    private Optional<Piece> piece(String key) {
        return site.kinds().stream()
                .filter(each -> each.pattern().matches(key))
                .map(each -> new Piece(each, key.substring(each.pattern().head().length())))
                .findFirst();
    }

    Optional<ObjectNode> snapshot(long version) {
        return snapshots().stream()
                .filter(each -> each.path("version").asLong(0) == version)
                .findFirst();
    }

    /** Something that is asked of changes, or why it cannot be answered. */
    sealed interface Known<T> {
        record Good<T>(T value) implements Known<T> {}

        record Not<T>(Refused why) implements Known<T> {}
    }

    /** The changes after a version, oldest first. */
    private Known<List<JsonNode>> after(long version) {
        long newest = version();
        if (version < 0 || version > newest) {
            return new Known.Not<>(
                    Refused.of(
                            EmsCode.NOT_FOUND,
                            "There is no version %d; the newest is %d."
                                    .formatted(version, newest)));
        }
        List<JsonNode> changes = new ArrayList<>();
        long expected = newest;
        for (ObjectNode each : snapshots()) {
            long its = each.path("version").asLong(0);
            if (its <= version) {
                break;
            }
            if (its != expected) {
                break;
            }
            expected--;
            List<JsonNode> some = new ArrayList<>();
            each.path("changes").forEach(some::add);
            changes.addAll(0, some);
        }
        return expected == version
                ? new Known.Good<>(changes)
                : new Known.Not<>(
                        Refused.of(
                                EmsCode.NOT_FOUND,
                                "Version %d is too old: the last %d changes are kept."
                                        .formatted(version, SiteKeys.MOST_SNAPSHOTS)));
    }

    /** What is different between two versions, key by key. */
    Known<List<Map<String, Object>>> difference(long from, long to) {
        Known<List<JsonNode>> since = after(from);
        Known<List<JsonNode>> beyond = after(to);
        if (since instanceof Known.Not<List<JsonNode>>(Refused why)) {
            return new Known.Not<>(why);
        }
        if (beyond instanceof Known.Not<List<JsonNode>>(Refused why)) {
            return new Known.Not<>(why);
        }
        List<JsonNode> all = ((Known.Good<List<JsonNode>>) since).value();
        int tail = ((Known.Good<List<JsonNode>>) beyond).value().size();
        if (to < from) {
            return new Known.Not<>(
                    Refused.of(EmsCode.INVALID_PARAMETER, "from must not be after to."));
        }
        Map<String, JsonNode> before = new LinkedHashMap<>();
        Map<String, JsonNode> now = new LinkedHashMap<>();
        for (JsonNode change : all.subList(0, all.size() - tail)) {
            String key = change.path("key").asString("");
            before.putIfAbsent(key, change.path("old"));
            now.put(key, change.path("new"));
        }
        List<Map<String, Object>> lines = new ArrayList<>();
        before.forEach(
                (key, old) -> {
                    JsonNode after = now.getOrDefault(key, Json.MAPPER.nullNode());
                    if (!bare(old).equals(bare(after))) {
                        Map<String, Object> line = new LinkedHashMap<>();
                        line.put("key", key);
                        line.put("old", old);
                        line.put("new", after);
                        line.put("members", members(old, after));
                        lines.add(line);
                    }
                });
        return new Known.Good<>(lines);
    }

    private static JsonNode bare(JsonNode document) {
        return document instanceof ObjectNode object ? Stamps.bare(object) : document;
    }

    private static List<String> members(JsonNode old, JsonNode after) {
        List<String> names = new ArrayList<>();
        bare(old).propertyNames().forEach(names::add);
        bare(after).propertyNames().forEach(each -> addIfNew(names, each));
        return names.stream()
                .filter(each -> !old.path(each).equals(after.path(each)))
                .sorted()
                .toList();
    }

    private static void addIfNew(List<String> names, String name) {
        if (!names.contains(name)) {
            names.add(name);
        }
    }

    // ---------------------------------------------------------------- going back

    /**
     * What came of putting several pieces back or in.
     *
     * @param done keys
     * @param refused keys, with the reason
     */
    record Applied(List<String> done, Map<String, String> refused, long version) {}

    /** Gives all that was changed after a version the content that it had then. */
    Known<Applied> rollback(long to, boolean force, String user) {
        return switch (after(to)) {
            case Known.Not<List<JsonNode>>(Refused why) -> new Known.Not<>(why);
            case Known.Good<List<JsonNode>>(List<JsonNode> changes) -> {
                Map<String, JsonNode> wanted = new LinkedHashMap<>();
                changes.forEach(
                        each ->
                                wanted.putIfAbsent(
                                        each.path("key").asString(""), each.path("old")));
                List<String> done = new ArrayList<>();
                Map<String, String> refused = new LinkedHashMap<>();
                wanted.forEach(
                        (key, old) ->
                                restore(key, old, force, user)
                                        .ifPresentOrElse(
                                                why -> refused.put(key, why), () -> done.add(key)));
                yield new Known.Good<>(new Applied(done, refused, version()));
            }
        };
    }

    /** Why it cannot be; empty if it stands as it was. */
    private Optional<String> restore(String key, JsonNode old, boolean force, String user) {
        if (key.equals(SystemConfiguration.key().key())) {
            ObjectNode fields =
                    old instanceof ObjectNode object ? object : Json.MAPPER.createObjectNode();
            return switch (system.put(fields, true, OptionalLong.empty(), user)) {
                case SystemConfiguration.Saved.Done done -> Optional.empty();
                case SystemConfiguration.Saved.Not(Refused why) -> Optional.of(why.message());
            };
        }
        Optional<Piece> piece = piece(key);
        if (piece.isEmpty()) {
            return Optional.of("Nobody here knows this key.");
        }
        ConfigurationKind kind = piece.get().kind();
        String id = piece.get().id();
        if (!(old instanceof ObjectNode document)) {
            return kind.get(id).isEmpty() ? Optional.empty() : why(kind.delete(id, force, user));
        }
        return why(kind.put(id, Stamps.bare(document), OptionalLong.empty(), user));
    }

    private static Optional<String> why(ConfigurationKind.Saved saved) {
        return switch (saved) {
            case ConfigurationKind.Saved.Done done -> Optional.empty();
            case ConfigurationKind.Saved.Not(Refused why) -> Optional.of(why.message());
        };
    }

    // ---------------------------------------------------------------- all of it

    ObjectNode exported() {
        ObjectNode all = Json.MAPPER.createObjectNode();
        all.put("version", version());
        all.set(SYSTEM, Stamps.bare(system.document()));
        for (ConfigurationKind kind : site.kinds()) {
            ObjectNode ofKind = all.putObject(kind.word());
            for (String id : kind.ids()) {
                kind.get(id).ifPresent(each -> ofKind.set(id, Stamps.bare(each)));
            }
        }
        return all;
    }

    /**
     * Puts in what was exported; what it does not name stays. If a piece is wrong by itself,
     * nothing is put in.
     */
    Known<Applied> put(ObjectNode all, boolean tryOnly, String user) {
        Map<String, String> wrong = mistakes(all);
        if (!wrong.isEmpty()) {
            return new Known.Not<>(
                    Refused.of(
                                    EmsCode.VALIDATION_ERROR,
                                    "Nothing was put in: %d pieces are wrong."
                                            .formatted(wrong.size()))
                            .with("refused", wrong));
        }
        List<String> done = new ArrayList<>();
        Map<String, String> refused = new LinkedHashMap<>();
        if (!tryOnly) {
            if (all.path(SYSTEM) instanceof ObjectNode fields) {
                apply(SystemConfiguration.key().key(), fields, user, done, refused);
            }
            // In the order in which they were given to us: models refer to channels.
            for (ConfigurationKind kind : site.kinds()) {
                all.path(kind.word())
                        .properties()
                        .forEach(
                                each ->
                                        apply(
                                                kind.pattern().key(each.getKey()),
                                                each.getValue(),
                                                user,
                                                done,
                                                refused));
            }
        }
        return new Known.Good<>(new Applied(done, refused, version()));
    }

    private void apply(
            String key,
            JsonNode document,
            String user,
            List<String> done,
            Map<String, String> refused) {
        restore(key, document, false, user)
                .ifPresentOrElse(why -> refused.put(key, why), () -> done.add(key));
    }

    private Map<String, String> mistakes(ObjectNode all) {
        Map<String, String> wrong = new LinkedHashMap<>();
        all.path(SYSTEM)
                .properties()
                .forEach(
                        each ->
                                SystemConfiguration.mistake(each.getKey(), each.getValue())
                                        .ifPresent(why -> wrong.put("config:system", why)));
        for (ConfigurationKind kind : site.kinds()) {
            JsonNode ofKind = all.path(kind.word());
            if (!ofKind.isMissingNode() && !ofKind.isObject()) {
                wrong.put(kind.word(), "It must be an object, id to configuration.");
            }
            ofKind.properties()
                    .forEach(
                            each -> {
                                Optional<String> why =
                                        each.getValue() instanceof ObjectNode document
                                                ? kind.mistake(each.getKey(), document)
                                                        .map(Refused::message)
                                                : Optional.of("It must be a JSON object.");
                                why.ifPresent(
                                        sentence ->
                                                wrong.put(
                                                        kind.word() + " " + each.getKey(),
                                                        sentence));
                            });
        }
        return wrong;
    }

    // ---------------------------------------------------------------- written by others

    /** What somebody has written into a key of configuration is counted like any other change. */
    void noticed(ForeignWrites.Noticed noticed) {
        for (ConfigurationKind kind : site.kinds()) {
            for (String key : noticed.keysOf(kind.pattern())) {
                adopt(kind, key);
            }
        }
    }

    private void adopt(ConfigurationKind kind, String key) {
        String id = key.substring(kind.pattern().head().length());
        Optional<ObjectNode> present = kind.get(id);
        if (present.isEmpty() || isOurs(key, present.get())) {
            return;
        }
        ObjectNode document = Stamps.bare(present.get());
        if (kind.put(id, document, OptionalLong.empty(), "foreign")
                instanceof ConfigurationKind.Saved.Not(Refused why)) {
            log.warn(
                    "Somebody has written a configuration that is not used. key={} reason={}",
                    key,
                    why.message());
        }
    }

    /** The change that its number names left it just like this. */
    private boolean isOurs(String key, ObjectNode present) {
        long version = Stamps.version(present);
        if (version == 0) {
            return false;
        }
        Optional<ObjectNode> change =
                parsed(
                        keyspace.cells()
                                .string(
                                        SiteLayouts.CONFIGURATION_SNAPSHOT.at(
                                                Long.toString(version)))
                                .answer()
                                .or(""));
        if (change.isEmpty() || !(change.get().path("changes") instanceof ArrayNode changes)) {
            return true; // too long ago to be looked up
        }
        for (JsonNode each : changes) {
            if (each.path("key").asString("").equals(key)) {
                return each.has("new_left_out") || each.path("new").equals(present);
            }
        }
        return false;
    }
}
