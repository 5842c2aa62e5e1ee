package dev.millrace.hub.documents;

import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.documents.kept.DocumentsLayouts;
import dev.millrace.hub.documents.kept.Facts;
import dev.millrace.keyspace.feed.Fact;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What one listener is told of a fact: what is in the namespace it asked for, and what it may read.
 */
final class ChangeFilter {
    private final Optional<String> namespace;
    private final Rights rights;

    ChangeFilter(Optional<String> namespace, Rights rights) {
        this.namespace = namespace.filter(text -> !text.isEmpty());
        this.rights = rights;
    }

    /** The fact as JSON with its number and time; empty if nothing in it is for this listener. */
    Optional<byte[]> of(Fact fact) {
        if (namespace.isEmpty() && rights.everywhere()) {
            return Optional.of(numbered(fact, fact.body()));
        }
        if (namespace.isPresent()
                && !DocumentsLayouts.topLevelNamespace(namespace.get())
                        .equals(Facts.namespace(fact.body()))) {
            return Optional.empty();
        }
        JsonNode tree = Facts.tree(fact.body());
        for (String kind : new String[] {"changed", "deleted"}) {
            if (tree.get(kind) instanceof ArrayNode all) {
                ArrayNode kept = all.arrayNode();
                for (JsonNode each : all) {
                    if (isFor(key(each))) {
                        kept.add(each);
                    }
                }
                ((ObjectNode) tree).set(kind, kept);
                return kept.isEmpty()
                        ? Optional.empty()
                        : Optional.of(numbered(fact, Document.MAPPER.writeValueAsBytes(tree)));
            }
        }
        return Optional.empty();
    }

    private static String key(JsonNode changed) {
        return changed.isString()
                ? changed.stringValue()
                : Document.key(
                        changed.path("namespace").asString(""), changed.path("id").asString(""));
    }

    private boolean isFor(String key) {
        return rights.cover(key)
                && namespace
                        .map(name -> key.equals(name) || key.startsWith(name + ":"))
                        .orElse(true);
    }

    private static byte[] numbered(Fact fact, byte[] body) {
        ByteArrayOutputStream json = new ByteArrayOutputStream(body.length + 64);
        json.writeBytes(
                "{\"seq\":%d,\"at\":%d,"
                        .formatted(fact.number(), fact.time())
                        .getBytes(StandardCharsets.US_ASCII));
        json.write(body, 1, body.length - 1);
        return json.toByteArray();
    }
}
