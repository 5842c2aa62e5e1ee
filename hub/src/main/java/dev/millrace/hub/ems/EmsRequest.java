package dev.millrace.hub.ems;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Caller;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Utf8;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A request as the rooms of VoltageEMS read it. */
public final class EmsRequest {
    /** What is stored as it came must mean the same to every reader: each member once. */
    private static final JsonMapper STRICT =
            Json.BODIES.rebuild().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private static final Set<String> YES = Set.of("1", "true", "yes");

    /** What curl says of a body when nobody tells it what the body is. */
    private static final String UNSAID = "application/x-www-form-urlencoded";

    private final Request request;
    private final List<Trail.Change> changes = new ArrayList<>(0);

    EmsRequest(Request request) {
        this.request = request;
    }

    /**
     * It has changed something, which is written down for those who ask later.
     *
     * @param object what kind of thing: {@code alarm_rule}
     * @param before as it was; null if there was none
     * @param after as it is; null if there is none any more
     */
    public void changed(String object, String id, @Nullable Object before, @Nullable Object after) {
        changes.add(
                new Trail.Change(caller().name(), request.path(), object, id, before, after, id()));
    }

    List<Trail.Change> changes() {
        return changes;
    }

    /** The bare bodies of the reference are wanted. */
    boolean compat() {
        return compat(request);
    }

    static boolean compat(Request request) {
        return request.query("compat").filter(YES::contains).isPresent()
                || request.header("X-Compat").filter("reference"::equalsIgnoreCase).isPresent();
    }

    public String id() {
        return request.id();
    }

    public Caller caller() {
        return request.caller();
    }

    /** Who asks, for the audit. */
    public Actor actor() {
        return new Actor(request.caller().name(), request.peer().getHostAddress());
    }

    /** The address of the caller, behind the proxies that are trusted. */
    public InetAddress peer() {
        return request.peer();
    }

    public Optional<String> header(String name) {
        return request.header(name);
    }

    /** A variable of the path. */
    public String variable(String name) {
        return request.variable(name);
    }

    /** A parameter of the query that says something. */
    public Optional<String> query(String name) {
        return request.query(name).filter(text -> !text.isEmpty());
    }

    /** A parameter that is true or false. */
    public Optional<Boolean> flag(String name) {
        return query(name)
                .map(
                        text ->
                                switch (text) {
                                    case "true", "1" -> true;
                                    case "false", "0" -> false;
                                    default -> throw invalid(name + " must be true or false.");
                                });
    }

    /** A parameter that is a whole number within these bounds. */
    public int number(String name, int standard, int least, int most) {
        return request.query(name).isEmpty()
                ? standard
                : request.number(name, standard, least, most);
    }

    /** Which part of a list is wanted, in the words of any of the reference's services. */
    public Paging paging() {
        return paging(Paging.STANDARD_SIZE);
    }

    /** The same where the reference gave more than usual to clients that do not say how many. */
    public Paging paging(int standardSize) {
        String sizeName =
                query("size").isPresent()
                        ? "size"
                        : query("page_size").isPresent() ? "page_size" : "limit";
        int size = number(sizeName, standardSize, 1, Paging.LARGEST_SIZE);
        int page = number("page", 1, 1, Integer.MAX_VALUE / Paging.LARGEST_SIZE);
        int offset = number("offset", (page - 1) * size, 0, Integer.MAX_VALUE);
        String order = query("order").orElse("asc").toLowerCase(Locale.ROOT);
        if (!order.equals("asc") && !order.equals("desc")) {
            throw invalid("order must be asc or desc.");
        }
        return new Paging(offset, size, query("sort").orElse(""), order.equals("desc"));
    }

    /** The body, which must not say that it is something else than JSON. */
    public byte[] body() {
        Optional<String> type = request.header("Content-Type");
        if (type.isPresent() && !isJson(type.get())) {
            throw Refused.of(
                            EmsCode.UNSUPPORTED_MEDIA_TYPE,
                            "The body must be JSON; send Content-Type: application/json, not %s."
                                    .formatted(type.get()))
                    .exception();
        }
        return request.body();
    }

    private static boolean isJson(String contentType) {
        int end = contentType.indexOf(';');
        String type =
                (end < 0 ? contentType : contentType.substring(0, end))
                        .trim()
                        .toLowerCase(Locale.ROOT);
        return type.equals("application/json")
                || type.equals("text/json")
                || type.equals(UNSAID)
                || type.endsWith("+json");
    }

    /** The body as a JSON object. */
    public ObjectNode object() {
        byte[] body = body();
        if (body.length == 0) {
            throw notJson("The body is empty; a JSON object is needed.");
        }
        if (!Utf8.isText(body)) {
            throw notJson("The body is not JSON in UTF-8.");
        }
        JsonNode node;
        try {
            node = STRICT.readTree(body);
        } catch (JacksonException e) {
            throw notJson(Json.sentence(e));
        }
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw Refused.of(EmsCode.VALIDATION_ERROR, "The body must be a JSON object.").exception();
    }

    /** The same where a body may be missing. */
    public ObjectNode objectOrEmpty() {
        return request.body().length == 0 ? STRICT.createObjectNode() : object();
    }

    /** The body as one of our records. */
    public <T> T json(Class<T> type) {
        ObjectNode object = object();
        try {
            return STRICT.treeToValue(object, type);
        } catch (JacksonException e) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, Json.reason(e) + ".").exception();
        }
    }

    private static RefusedException notJson(String sentence) {
        return Refused.of(EmsCode.INVALID_JSON, sentence).exception();
    }

    private static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.INVALID_PARAMETER, sentence).exception();
    }
}
