package dev.millrace.hub.documents;

import dev.millrace.hub.documents.Mistakes.Place;
import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Utf8;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * Bodies of requests as trees, and what is wrong with one before anybody looks at its members: no
 * JSON, numbers that are none, half characters, nesting that other parsers would not survive.
 */
final class Bodies {
    /** What is stored must be readable by parsers that take less than ours does. */
    private static final int DEEPEST = 256;

    private Bodies() {}

    /** The body, which is an object. */
    static ObjectNode body(Request request) {
        byte[] body = request.body();
        Mistakes mistakes = new Mistakes();
        if (body.length == 0) {
            throw mistakes.missing(Place.BODY, null).refused();
        }
        if (!isJson(request)) {
            String text = new String(body, StandardCharsets.UTF_8);
            throw mistakes.notAnObject(Place.BODY, text).refused();
        }
        return object(body, Place.BODY);
    }

    /** Without a type it is taken for JSON too. */
    static boolean isJson(Request request) {
        String type = request.header("Content-Type").orElse("application/json");
        if (type.equals("application/json")) {
            return true;
        }
        int semicolon = type.indexOf(';');
        String plain =
                (semicolon < 0 ? type : type.substring(0, semicolon))
                        .strip()
                        .toLowerCase(Locale.ROOT);
        return plain.equals("application/json")
                || (plain.startsWith("application/") && plain.endsWith("+json"));
    }

    static ObjectNode object(byte[] body, Place place) {
        JsonNode tree = parse(body, place);
        Mistakes mistakes = new Mistakes();
        inspect(tree, place, 1, mistakes);
        mistakes.mustBeNone();
        if (tree.isNull()) {
            throw mistakes.missing(place, null).refused();
        }
        if (!(tree instanceof ObjectNode object)) {
            throw mistakes.notAnObject(place, tree).refused();
        }
        return object;
    }

    private static JsonNode parse(byte[] body, Place place) {
        if (!Utf8.isText(body)) {
            throw unreadable();
        }
        try {
            JsonNode tree = Document.MAPPER.readTree(body);
            if (tree.isMissingNode()) {
                throw notJson(place.in(body.length), "Expecting value");
            }
            return tree;
        } catch (StreamConstraintsException e) {
            throw unreadable();
        } catch (JacksonException e) {
            throw notJson(place.in(offset(e)), Json.reason(e));
        }
    }

    private static RefusedException notJson(Place place, String why) {
        return new Mistakes()
                .add("json_invalid", place, "JSON decode error", Map.of(), Map.of("error", why))
                .refused();
    }

    private static long offset(JacksonException e) {
        return e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
    }

    private static RefusedException unreadable() {
        return new RefusedException(new Refused.Unreadable());
    }

    /** Looks at every value of a tree. */
    private static void inspect(JsonNode node, Place place, int depth, Mistakes mistakes) {
        if (node.isContainer() && depth > DEEPEST) {
            mistakes.add(
                    "nesting_too_deep",
                    place,
                    "Input should be nested at most %d levels deep".formatted(DEEPEST),
                    null);
        } else if (node.isObject()) {
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                inspectText(member.getKey(), place, mistakes);
                if (isPlain(member.getValue())) {
                    continue;
                }
                inspect(member.getValue(), place.in(whole(member.getKey())), depth + 1, mistakes);
            }
        } else if (node.isArray()) {
            int at = 0;
            for (JsonNode item : node) {
                if (!isPlain(item)) {
                    inspect(item, place.in(at), depth + 1, mistakes);
                }
                at++;
            }
        } else if (node.isString()) {
            inspectText(node.stringValue(), place, mistakes);
        } else if (node.isDouble() && !Double.isFinite(node.doubleValue())) {
            mistakes.add("finite_number", place, "Input should be a finite number", null);
        }
    }

    /** Nothing can be wrong with it; most values are so, and need no place to be told. */
    private static boolean isPlain(JsonNode node) {
        return node.isString()
                ? !hasHalves(node.stringValue())
                : !node.isContainer() && !(node.isDouble() && !Double.isFinite(node.doubleValue()));
    }

    private static void inspectText(String text, Place place, Mistakes mistakes) {
        if (hasHalves(text)) {
            mistakes.add(
                    "string_unicode",
                    place,
                    "Input should be a valid string, unable to parse raw data as a unicode string",
                    whole(text));
        }
    }

    private static boolean hasHalves(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    /** The text with half characters replaced, so that it can be sent. */
    private static String whole(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
