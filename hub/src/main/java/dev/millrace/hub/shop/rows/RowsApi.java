package dev.millrace.hub.shop.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Refusal;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.shop.visits.ShopErrors;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Cached rows over HTTP. */
final class RowsApi {
    private static final String ROOM = "shop";
    private static final String ONE = "/shop/rows/{table}/{id:slashed}";
    private static final int MOST = 500;
    private static final int TAG_BYTES = 8;

    private final RowCache cache;
    private final RowStore store;
    private final Refresher refresher;
    private final RowSettings settings;

    RowsApi(RowCache cache, RowStore store, Refresher refresher, RowSettings settings) {
        this.cache = cache;
        this.store = store;
        this.refresher = refresher;
        this.settings = settings;
    }

    List<Route> routes() {
        return List.of(
                Route.get(ONE)
                        .needs(Role.VIEWER, ROOM)
                        .about("A row of the shop's database, from the cache or read through.")
                        .by(this::get),
                Route.post("/shop/rows/{table}/get")
                        .needs(Role.VIEWER, ROOM)
                        .about("Many rows of a table at once.")
                        .takes(Wanted.class)
                        .by(this::many),
                Route.post(ONE + "/refresh")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Reads a row from the database now.")
                        .by(this::refresh),
                Route.post(ONE + "/invalidate")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Throws a cached row away; if it is scheduled, it is read again.")
                        .by(this::invalidate));
    }

    private record Wanted(@Nullable List<String> ids) {}

    private Answer get(Request request) {
        Row row = cache.get(row(request, settings));
        return switch (row) {
            case Row.Hit(String json, Optional<Duration> age) -> answer(request, json, age, "hit");
            case Row.Loaded(String json) ->
                    answer(request, json, Optional.of(Duration.ZERO), "fwd=miss; stored");
            case Row.Stale(String json, Optional<Duration> age) ->
                    answer(request, json, age, "fwd=stale");
            case Row.Absent(boolean hit) ->
                    throw absent().with(status(hit ? "hit" : "fwd=miss; stored"));
            case Row.Unavailable(String why) -> throw unavailable(why);
        };
    }

    private Answer answer(Request request, String json, Optional<Duration> age, String how) {
        byte[] body = json.getBytes(UTF_8);
        String tag = tag(body);
        boolean same =
                request.headers("If-None-Match").stream()
                        .flatMap(text -> List.of(text.split(",")).stream())
                        .map(String::strip)
                        .anyMatch(each -> each.equals("*") || each.equals(tag));
        Answer answer = same ? Answer.empty(304) : Answer.bytes(200, "application/json", body);
        Answer tagged = answer.with("ETag", tag).with(List.of(status(how)));
        return age.map(old -> tagged.with("Age", Long.toString(old.toSeconds()))).orElse(tagged);
    }

    private static Header status(String how) {
        return new Header("Cache-Status", "rowcache; " + how);
    }

    private static String tag(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return "\"" + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    private Answer many(Request request) {
        String table = table(request, settings);
        List<String> ids = request.json(Wanted.class).ids();
        if (ids == null || ids.size() > MOST) {
            throw ShopErrors.bad("ids must be a list of at most %d ids.".formatted(MOST));
        }
        for (String id : ids) {
            named(new RowName(table, ShopErrors.namedIn(id, "id")), Code.BAD_BODY);
        }
        Map<String, @Nullable JsonNode> rows = new LinkedHashMap<>();
        cache.get(table, ids)
                .forEach(
                        (id, row) -> {
                            if (row instanceof Row.Unavailable(String why)) {
                                // Half of an answer must not look like all of it.
                                throw unavailable(why);
                            }
                            rows.put(id, row.text().map(Json.MAPPER::readTree).orElse(null));
                        });
        return Answer.json(Map.of("rows", rows));
    }

    private Answer refresh(Request request) {
        return switch (cache.refresh(row(request, settings))) {
            case Row.Loaded(String json) ->
                    answer(request, json, Optional.of(Duration.ZERO), "fwd=request; stored");
            case Row.Absent absent -> throw absent();
            case Row.Unavailable(String why) -> throw unavailable(why);
            // What was asked for is a row of now.
            case Row.Hit hit -> throw unavailable("It could not be read.");
            case Row.Stale stale -> throw unavailable("The database does not answer.");
        };
    }

    private Answer invalidate(Request request) {
        RowName row = row(request, settings);
        cache.forget(row);
        if (store.invalidate(row)) {
            refresher.wake();
        }
        cache.thrownAway(row);
        return Answer.empty(204);
    }

    // ---------------------------------------------------------------- names

    static String table(Request request, RowSettings settings) {
        String table = request.variable("table");
        if (!settings.tables().containsKey(table)) {
            throw ShopErrors.absent("There is no table of this name; shop.rows.tables names them.");
        }
        return table;
    }

    static RowName row(Request request, RowSettings settings) {
        String table = table(request, settings);
        RowName row = new RowName(table, ShopErrors.named(request, "id"));
        return named(row, Code.BAD_PARAMETER);
    }

    private static RowName named(RowName row, Code code) {
        if (!row.isRight()) {
            throw Problem.of(
                    code, "An id of this table must not look like row:{table}:{id} of another.");
        }
        return row;
    }

    private static Problem absent() {
        return ShopErrors.absent("The database has no such row.");
    }

    private static Refusal unavailable(String why) {
        return ShopErrors.of(
                ShopErrors.Wrong.ROW_UNAVAILABLE,
                "The row cannot be had now: " + why,
                Map.of(),
                List.of(new Header("Retry-After", "1"), status("fwd=miss")));
    }
}
