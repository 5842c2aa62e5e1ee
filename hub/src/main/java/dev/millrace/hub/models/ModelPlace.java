package dev.millrace.hub.models;

import dev.millrace.hub.site.sync.Place;
import dev.millrace.hub.site.sync.SyncResult;
import dev.millrace.keyspace.redis.outcome.RedisException;

import tools.jackson.databind.JsonNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The measurements of models, for patterns that copy them. */
record ModelPlace(ModelBook book, ModelWrites writes, ModelFollower follower, InstantSource clock)
        implements Place {
    private static final Pattern KEY =
            Pattern.compile("model:([A-Za-z0-9][A-Za-z0-9_.-]{0,127}):measurement");

    @Override
    public String prefix() {
        return "model:";
    }

    @Override
    public List<String> keys() {
        return book.models().stream().map(Model::source).toList();
    }

    private Optional<Model> model(String key) {
        Matcher matcher = KEY.matcher(key);
        return matcher.matches() ? book.get(matcher.group(1)) : Optional.empty();
    }

    @Override
    public Map<String, String> read(String key) {
        Map<String, String> fields = new LinkedHashMap<>();
        model(key)
                .ifPresent(
                        model ->
                                writes.state(model)
                                        .values()
                                        .properties()
                                        .forEach(
                                                each ->
                                                        fields.put(
                                                                each.getKey(),
                                                                each.getValue().asString(""))));
        return fields;
    }

    @Override
    public Optional<String> write(String key, Map<String, String> fields) {
        Optional<Model> model = model(key);
        if (model.isEmpty()) {
            return Optional.of("There is no such model.");
        }
        Map<String, JsonNode> values = new LinkedHashMap<>();
        fields.forEach((name, text) -> values.put(name, Texts.node(text)));
        writes.write(new ModelWrites.Change(model.get(), Map.of(), values, clock.instant(), false))
                .outcome()
                .orThrow();
        return Optional.empty();
    }

    @Override
    public Map<String, Supplier<SyncResult>> builtIn() {
        Map<String, Supplier<SyncResult>> all = new LinkedHashMap<>();
        for (String type : List.of("T", "S", "C", "A")) {
            all.put("comsrv_to_modsrv_" + type, this::everything);
        }
        return all;
    }

    private SyncResult everything() {
        long synced = 0;
        List<String> errors = new ArrayList<>();
        for (Model each : book.models()) {
            try {
                synced += follower.sync(each) > 0 ? 1 : 0;
            } catch (RedisException e) {
                errors.add(each.id() + ": " + e.getMessage());
            }
        }
        return new SyncResult(book.models().size(), synced, errors);
    }
}
