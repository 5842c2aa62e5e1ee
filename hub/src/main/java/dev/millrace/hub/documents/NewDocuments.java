package dev.millrace.hub.documents;

import dev.millrace.hub.documents.Mistakes.Place;
import dev.millrace.hub.documents.kept.Document;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Documents as clients send them. All are looked at before anything is written, and every mistake
 * of a request is told at once.
 */
final class NewDocuments {
    /** As clients are told; what it means in Java is {@link #NAME}. */
    private static final String SHOWN_PATTERN = "^[\\w\\-\\.\\:~_ \\(\\)]*$";

    private static final Pattern NAME =
            Pattern.compile("[\\w\\-.:~ ()]*", Pattern.UNICODE_CHARACTER_CLASS);

    private NewDocuments() {}

    /** The member {@code value} of a body. */
    static Document one(ObjectNode body) {
        Mistakes mistakes = new Mistakes();
        JsonNode value = body.path("value");
        if (value.isMissingNode()) {
            throw mistakes.missing(Place.BODY.in("value"), body).refused();
        }
        return of(value, Place.BODY.in("value"));
    }

    static Document of(JsonNode value, Place place) {
        Mistakes mistakes = new Mistakes();
        Document document = read(value, place, mistakes);
        if (document == null) {
            throw mistakes.refused();
        }
        return document;
    }

    /** The member {@code values} of a body, in its order. */
    static List<Document> all(ObjectNode body) {
        Mistakes mistakes = new Mistakes();
        JsonNode values = body.path("values");
        Place place = Place.BODY.in("values");
        if (values.isMissingNode()) {
            throw mistakes.missing(place, body).refused();
        }
        if (!values.isArray()) {
            throw mistakes.notAList(place, values).refused();
        }
        List<Document> documents = new ArrayList<>(values.size());
        int at = 0;
        for (JsonNode value : values) {
            Document document = read(value, place.in(at), mistakes);
            if (document != null) {
                documents.add(document);
            }
            at++;
        }
        mistakes.mustBeNone();
        return documents;
    }

    private static @Nullable Document read(JsonNode value, Place place, Mistakes mistakes) {
        if (!(value instanceof ObjectNode object)) {
            mistakes.notAnObject(place, value);
            return null;
        }
        String namespace = name(object, "namespace", place, mistakes);
        String id = name(object, "id", place, mistakes);
        if (namespace == null || id == null) {
            return null;
        }
        if (id.isEmpty()) {
            mistakes.add(
                    "string_too_short",
                    place.in("id"),
                    "String should have at least 1 character",
                    id,
                    Map.of("min_length", 1));
            return null;
        }
        return new Document(Document.key(namespace, id), CompactJson.document(object));
    }

    private static @Nullable String name(
            ObjectNode object, String member, Place place, Mistakes mistakes) {
        JsonNode value = object.path(member);
        if (value.isMissingNode()) {
            mistakes.missing(place.in(member), object);
            return null;
        }
        if (!value.isString()) {
            mistakes.notAString(place.in(member), value);
            return null;
        }
        String text = value.stringValue();
        if (!isPlain(text) && !NAME.matcher(text).matches()) {
            mistakes.add(
                    "string_pattern_mismatch",
                    place.in(member),
                    "String should match pattern '" + SHOWN_PATTERN + "'",
                    text,
                    Map.of("pattern", SHOWN_PATTERN));
            return null;
        }
        return text;
    }

    /** Most are, and need no look at the tables of all scripts. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != ':') {
                return false;
            }
        }
        return true;
    }
}
