package dev.millrace.hub.site.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Runs patterns: reads each source, changes its fields, writes the target. Keys of rooms are read
 * and written through the room, so that what comes of it is what would come of a client's write;
 * keys that belong to nobody are made, and remembered as the pattern's. Thread-safe.
 */
final class SyncRuns {
    private static final Script READ = Script.reading(SyncRuns.class, "read");
    private static final Script WRITE = Script.of(SyncRuns.class, "write");
    private static final int MOST_SOURCES = 10_000;
    private static final int MOST_ERRORS = 100;
    private static final String STEP = "200";
    private static final long REST_NANOS = 2_000_000;

    private final Keyspace keyspace;
    private final InstantSource clock;
    private final Supplier<List<Place>> places;

    SyncRuns(Keyspace keyspace, InstantSource clock, Supplier<List<Place>> places) {
        this.keyspace = keyspace;
        this.clock = clock;
        this.places = places;
    }

    /** What a room does anyway, asked for by its name. */
    Optional<SyncResult> builtIn(String name) {
        return places.get().stream()
                .map(each -> each.builtIn().get(name))
                .flatMap(each -> Optional.ofNullable(each).stream())
                .findFirst()
                .map(Supplier::get);
    }

    /**
     * Runs it now.
     *
     * @param goOn asked between two sources
     */
    SyncResult run(SyncPattern pattern, BooleanSupplier goOn) {
        Wildcard wildcard = new Wildcard(pattern.source());
        Transform transform = new Transform(pattern);
        List<String> errors = new ArrayList<>();
        long matched = 0;
        long synced = 0;
        for (String key : sources(wildcard)) {
            if (!goOn.getAsBoolean()) {
                add(errors, "The run was ended before all keys were read.");
                break;
            }
            matched++;
            List<String> captured = wildcard.captured(key).orElse(List.of());
            try {
                Map<String, String> fields = transform.of(read(pattern, key));
                if (fields.isEmpty()) {
                    continue;
                }
                String target =
                        Wildcard.filled(
                                pattern.target(),
                                captured,
                                Wildcard.names(key, captured, clock.instant().getEpochSecond()));
                Optional<String> why = write(pattern, target, fields);
                if (why.isPresent()) {
                    add(errors, target + ": " + why.get());
                } else {
                    synced++;
                }
            } catch (IllegalArgumentException | RedisException e) {
                add(errors, key + ": " + e.getMessage());
            }
        }
        return new SyncResult(matched, synced, errors);
    }

    private static void add(List<String> errors, String error) {
        if (errors.size() < MOST_ERRORS) {
            errors.add(error);
        }
    }

    // ---------------------------------------------------------------- sources

    private List<String> sources(Wildcard wildcard) {
        for (Place place : places.get()) {
            if (wildcard.head().startsWith(place.prefix())) {
                return place.keys().stream()
                        .filter(each -> wildcard.captured(each).isPresent())
                        .limit(MOST_SOURCES)
                        .toList();
            }
        }
        // In a cluster, keys of others carry no shard, and nobody could say where theirs are.
        return keyspace.redis().cluster() ? List.of() : scanned(wildcard);
    }

    private List<String> scanned(Wildcard wildcard) {
        String glob = wildcard.head().replaceAll("([\\[\\]?*\\\\])", "\\\\$1") + "*";
        List<String> found = new ArrayList<>();
        for (Endpoint server : keyspace.redis().primaries()) {
            try (OwnConnection connection = keyspace.redis().own(server)) {
                String cursor = "0";
                do {
                    List<?> reply =
                            list(
                                    connection.call(
                                            bytes("SCAN"),
                                            bytes(cursor),
                                            bytes("MATCH"),
                                            bytes(glob),
                                            bytes("COUNT"),
                                            bytes(STEP)));
                    cursor = text(reply.getFirst());
                    for (Object each : list(reply.get(1))) {
                        String key = text(each);
                        if (wildcard.captured(key).isPresent() && found.size() < MOST_SOURCES) {
                            found.add(key);
                        }
                    }
                    LockSupport.parkNanos(REST_NANOS);
                } while (!cursor.equals("0") && found.size() < MOST_SOURCES);
            }
        }
        return found.stream().distinct().sorted().toList();
    }

    private Map<String, String> read(SyncPattern pattern, String key) {
        for (Place place : places.get()) {
            if (key.startsWith(place.prefix())) {
                return place.read(key);
            }
        }
        List<?> reply =
                (List<?>)
                        Objects.requireNonNull(
                                wait(
                                        keyspace.ask(
                                                READ,
                                                List.of(any(key)),
                                                bytes(
                                                        pattern.sourceIsString()
                                                                ? "string"
                                                                : "hash"))));
        if (pattern.sourceIsString()) {
            return reply.isEmpty() ? Map.of() : members(text(reply.getFirst()));
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i + 1 < reply.size(); i += 2) {
            fields.put(text(reply.get(i)), text(reply.get(i + 1)));
        }
        return fields;
    }

    /** A key that nobody has declared; it lies where the site's do. */
    private static Cell.Key any(String key) {
        return new Cell.Key(SyncLayouts.TARGETS, key, Declaration.SITE);
    }

    private static @Nullable Object wait(CompletableFuture<@Nullable Object> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RedisException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** A JSON object by its members; any other text as the one field {@code value}. */
    static Map<String, String> members(String text) {
        if (text.isEmpty()) {
            return Map.of();
        }
        try {
            if (Json.MAPPER.readTree(text) instanceof ObjectNode object) {
                Map<String, String> members = new LinkedHashMap<>();
                object.properties()
                        .forEach(
                                each -> {
                                    JsonNode value = each.getValue();
                                    members.put(
                                            each.getKey(),
                                            value.isString() ? value.asString() : value.toString());
                                });
                return members;
            }
        } catch (JacksonException e) {
            // It is a text like any other.
        }
        return Map.of("value", text);
    }

    // ---------------------------------------------------------------- targets

    private Optional<String> write(SyncPattern pattern, String target, Map<String, String> fields) {
        for (Place place : places.get()) {
            if (target.startsWith(place.prefix())) {
                return place.write(target, fields);
            }
        }
        if (!SyncRules.isFree(keyspace, target)) {
            return Optional.of("This key belongs to another part of the hub.");
        }
        List<byte[]> args = new ArrayList<>();
        args.add(bytes(target));
        args.add(bytes(pattern.targetIsString() ? "string" : "hash"));
        args.add(bytes(Integer.toString(MOST_SOURCES)));
        if (pattern.targetIsString()) {
            boolean plain = pattern.sourceIsString() && fields.size() == 1;
            String only = fields.getOrDefault("value", "");
            args.add(plain && !only.isEmpty() ? bytes(only) : Json.write(json(fields)));
        } else {
            fields.forEach(
                    (field, value) -> {
                        args.add(bytes(field));
                        args.add(bytes(value));
                    });
        }
        return outcome(pattern, target, args);
    }

    private Optional<String> outcome(SyncPattern pattern, String target, List<byte[]> args) {
        Object reply =
                wait(
                        keyspace.call(
                                WRITE,
                                List.of(any(target), SyncLayouts.TARGETS.at(pattern.id())),
                                args.toArray(byte[][]::new)));
        if (reply instanceof Long done && done == 1) {
            return Optional.empty();
        }
        return Optional.of(
                reply instanceof Long full && full < 0
                        ? "The pattern has made 10,000 keys already."
                        : "The key is there and was not made by this pattern.");
    }

    /** Numbers as numbers, as a JSON object of values has them. */
    static ObjectNode json(Map<String, String> fields) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        fields.forEach(
                (field, text) -> {
                    try {
                        JsonNode node = Json.MAPPER.readTree(text);
                        object.set(field, node.isMissingNode() ? Json.MAPPER.nullNode() : node);
                    } catch (JacksonException e) {
                        object.put(field, text);
                    }
                });
        return object;
    }

    private static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list;
        }
        throw new IllegalStateException("Redis has answered something else than a list.");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
    }
}
