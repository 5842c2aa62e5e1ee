package dev.millrace.hub.documents;

import dev.millrace.hub.documents.Mistakes.Place;
import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.documents.kept.Glob;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Utf8;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * What is asked for. Members that a query does not know are ignored, for clients do send whole
 * documents as queries; what they ask for is taken as it is, whether a document can be called so or
 * not.
 */
final class Queries {
    private Queries() {}

    /** One document. */
    record Single(String namespace, String id) {
        String key() {
            return Document.key(namespace, id);
        }
    }

    /**
     * Several.
     *
     * @param ids null if it did not come with any; an empty list is a list
     * @param filter null if it came without
     */
    record Multi(String namespace, @Nullable List<String> ids, @Nullable String filter) {

        /** What to read of nothing asked for in particular: all of the namespace. */
        Multi orAll() {
            return ids == null && filter == null ? new Multi(namespace, null, "*") : this;
        }

        List<String> keys() {
            return ids == null
                    ? List.of()
                    : ids.stream().map(id -> Document.key(namespace, id)).toList();
        }

        @Nullable Glob glob() {
            return filter == null ? null : Glob.of(Document.key(namespace, filter));
        }
    }

    /** Without a tree, because nearly all are right, and get is the call that is made most. */
    static Single single(Request request) {
        byte[] body = request.body();
        Single quick = Bodies.isJson(request) && Utf8.isText(body) ? PlainQuery.read(body) : null;
        return quick == null ? single(Bodies.body(request)) : quick;
    }

    static Single single(ObjectNode body) {
        Mistakes mistakes = new Mistakes();
        String namespace = text(body, "namespace", mistakes);
        String id = text(body, "id", mistakes);
        mistakes.mustBeNone();
        return new Single(namespace, id);
    }

    static Multi multi(Request request) {
        ObjectNode body = Bodies.body(request);
        Mistakes mistakes = new Mistakes();
        String namespace = text(body, "namespace", mistakes);
        List<String> ids = ids(body.path("ids"), mistakes);
        JsonNode filter = body.path("filter");
        boolean none = filter.isNull() || filter.isMissingNode();
        if (!none && !filter.isString()) {
            mistakes.notAString(Place.BODY.in("filter"), filter);
        }
        mistakes.mustBeNone();
        return new Multi(namespace, ids, none ? null : filter.asString());
    }

    private static @Nullable List<String> ids(JsonNode ids, Mistakes mistakes) {
        if (ids.isNull() || ids.isMissingNode()) {
            return null;
        }
        Place place = Place.BODY.in("ids");
        if (!ids.isArray()) {
            mistakes.notAList(place, ids);
            return null;
        }
        List<String> texts = new ArrayList<>(ids.size());
        for (JsonNode id : ids) {
            if (!id.isString()) {
                mistakes.notAString(place.in(texts.size()), id);
            }
            texts.add(id.asString(""));
        }
        return texts;
    }

    /** A text that must be there; empty, and the mistake noted, if it is not. */
    private static String text(ObjectNode body, String name, Mistakes mistakes) {
        JsonNode value = body.path(name);
        if (value.isMissingNode()) {
            mistakes.missing(Place.BODY.in(name), body);
        } else if (!value.isString()) {
            mistakes.notAString(Place.BODY.in(name), value);
        }
        return value.asString("");
    }
}
