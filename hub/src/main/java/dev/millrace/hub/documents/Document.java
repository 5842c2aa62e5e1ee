package dev.millrace.hub.documents;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A JSON object under its key.
 *
 * @param key namespace and id, joined by a colon; the id alone where there is no namespace. Stored
 *     documents are believed, also where their own members say something else
 * @param json the whole object, as it was written; not to be changed
 */
record Document(String key, byte[] json) {

    Document(String key, String json) {
        this(key, json.getBytes(StandardCharsets.UTF_8));
    }

    /** What it is called, where only that matters. */
    static Document named(String key) {
        return new Document(key, new byte[0]);
    }

    static String key(String namespace, String id) {
        return namespace.isEmpty() ? id : namespace + ":" + id;
    }

    String topLevelNamespace() {
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
