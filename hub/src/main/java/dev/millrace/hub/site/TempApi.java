package dev.millrace.hub.site;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Cell;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Caches and results that are worked out, over HTTP; each goes by itself after its time. */
final class TempApi {
    private static final String CACHE = "/api/temp/cache/{key}";
    private static final String CALCULATION = "/api/temp/calculations/{id}";
    private static final String CREATED = "created_at";
    private static final Pattern KEY = Pattern.compile("[^\\p{Cntrl}]{1,512}");
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final int LONGEST_CACHE = 86_400;
    private static final int LONGEST_CALCULATION = 3600;
    private static final int STANDARD = 300;

    private final Temporary temporary;
    private final InstantSource clock;

    TempApi(Temporary temporary, InstantSource clock) {
        this.temporary = temporary;
        this.clock = clock;
    }

    void addTo(EmsRoutes routes) {
        routes.get(
                        CACHE,
                        route ->
                                route.needs(Role.VIEWER, SiteRoom.NAME)
                                        .about("What is cached, and how long it stays."),
                        request -> get(cache(request)))
                .put(
                        CACHE,
                        route ->
                                route.needs(Role.OPERATOR, SiteRoom.NAME)
                                        .about(
                                                "Caches a value; ttl in seconds, 1 to 86400, 300 if"
                                                        + " left out."),
                        this::putCache)
                .delete(
                        CACHE,
                        route ->
                                route.needs(Role.OPERATOR, SiteRoom.NAME)
                                        .about("Forgets what is cached."),
                        request -> delete(cache(request)))
                .get(
                        CALCULATION,
                        route ->
                                route.needs(Role.VIEWER, SiteRoom.NAME)
                                        .about("How far a calculation is, and its result."),
                        request -> get(calculation(request)))
                .put(
                        CALCULATION,
                        route ->
                                route.needs(Role.OPERATOR, SiteRoom.NAME)
                                        .about(
                                                "Says how far a calculation is; ttl in seconds, 1"
                                                        + " to 3600, 300 if left out."),
                        this::putCalculation)
                .delete(
                        CALCULATION,
                        route ->
                                route.needs(Role.OPERATOR, SiteRoom.NAME)
                                        .about("Forgets a calculation."),
                        request -> delete(calculation(request)));
    }

    private static Cell.Key cache(EmsRequest request) {
        String key = request.variable("key");
        if (!KEY.matcher(key).matches()) {
            throw invalid("A key has 1 to 512 characters, none of them a control character.");
        }
        return SiteLayouts.CACHE.at(key);
    }

    private static Cell.Key calculation(EmsRequest request) {
        String id = request.variable("id");
        if (!ID.matcher(id).matches()) {
            throw invalid(
                    "An id has 1 to 128 letters, digits and _ . -, beginning with a letter or"
                            + " digit.");
        }
        return SiteLayouts.CALCULATION.at(id);
    }

    private EmsAnswer putCache(EmsRequest request) {
        Cell.Key key = cache(request);
        ObjectNode body = request.object();
        JsonNode value = body.path("value");
        if (value.isMissingNode()) {
            throw invalid("value is missing.");
        }
        return put(
                key, value.isString() ? value.asString() : text(value), time(body, LONGEST_CACHE));
    }

    private EmsAnswer putCalculation(EmsRequest request) {
        Cell.Key key = calculation(request);
        ObjectNode body = request.object();
        Duration time = time(body, LONGEST_CALCULATION);
        ObjectNode kept = body.deepCopy();
        kept.remove("ttl");
        if (!kept.path("status").isString()) {
            throw invalid("status is missing: a word, such as running or done.");
        }
        kept.put(CREATED, created(key));
        return put(key, text(kept), time);
    }

    /** It stays what it was when the calculation began. */
    private long created(Cell.Key key) {
        long now = clock.instant().getEpochSecond();
        return temporary
                .get(key)
                .map(each -> parsed(each.value()).path(CREATED).asLong(now))
                .orElse(now);
    }

    private static String text(JsonNode value) {
        return new String(Json.write(value), StandardCharsets.UTF_8);
    }

    private EmsAnswer put(Cell.Key key, String value, Duration time) {
        temporary.put(key, value, time);
        return EmsAnswer.ok(Map.of("key", key.key(), "ttl", time.toSeconds()));
    }

    private EmsAnswer get(Cell.Key key) {
        Temporary.Present present =
                temporary
                        .get(key)
                        .orElseThrow(
                                () ->
                                        Refused.of(EmsCode.NOT_FOUND, "There is no such value.")
                                                .exception());
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("key", key.key());
        view.put("value", parsed(present.value()));
        view.put("ttl", present.left().map(each -> each.toMillis() / 1000.0).orElse(null));
        return EmsAnswer.ok(view);
    }

    private static JsonNode parsed(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JacksonException e) {
            return Json.MAPPER.valueToTree(text);
        }
    }

    private EmsAnswer delete(Cell.Key key) {
        if (!temporary.remove(key)) {
            throw Refused.of(EmsCode.NOT_FOUND, "There is no such value.").exception();
        }
        return EmsAnswer.ok(Map.of("key", key.key(), "deleted", true));
    }

    private static Duration time(ObjectNode body, int longest) {
        JsonNode ttl = body.path("ttl");
        if (ttl.isMissingNode() || ttl.isNull()) {
            return Duration.ofSeconds(STANDARD);
        }
        if (!ttl.isIntegralNumber()
                || !ttl.canConvertToInt()
                || ttl.intValue() < 1
                || ttl.intValue() > longest) {
            throw invalid("ttl must be a whole number of seconds from 1 to %d.".formatted(longest));
        }
        return Duration.ofSeconds(ttl.intValue());
    }

    private static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.VALIDATION_ERROR, sentence).exception();
    }
}
