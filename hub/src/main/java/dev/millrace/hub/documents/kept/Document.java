package dev.millrace.hub.documents.kept;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A JSON object under its key.
 *
 * @param key namespace and id, joined by a colon; the id alone where there is no namespace. Stored
 *     documents are believed, also where their own members say something else
 * @param json the whole object, as it was written; not to be changed
 */
public record Document(String key, byte[] json) {

    public Document(String key, String json) {
        this(key, json.getBytes(StandardCharsets.UTF_8));
    }

    /** What it is called, where only that matters. */
    public static Document named(String key) {
        return new Document(key, new byte[0]);
    }

    public static String key(String namespace, String id) {
        return namespace.isEmpty() ? id : namespace + ":" + id;
    }

    /**
     * Whether its own members are its key, as in everything that Brewblox has written. Some other
     * JSON under a key that nobody claims may be anybody's.
     */
    boolean saysItsKey() {
        JsonNode tree = Trees.MAPPER.readTree(json);
        JsonNode namespace = tree.path("namespace");
        JsonNode id = tree.path("id");
        return namespace.isString()
                && id.isString()
                && key.equals(key(namespace.stringValue(), id.stringValue()));
    }

    public String topLevelNamespace() {
        return DocumentsLayouts.topLevelNamespace(key);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Document its
                && key.equals(its.key)
                && Arrays.equals(json, its.json);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + Arrays.hashCode(json);
    }

    @Override
    public String toString() {
        return key + " " + new String(json, StandardCharsets.UTF_8);
    }
}
