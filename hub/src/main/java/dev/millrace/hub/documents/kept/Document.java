package dev.millrace.hub.documents.kept;

import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
    /** Deeper than this our parser gives up, and so did the one that clients know. */
    private static final int PARSED_DEPTH = 999;

    private static final int LONGEST_NUMBER = 4300;
    private static final int LONGEST_NAME = 1 << 20;

    /** Reads and writes documents, and what is said about them. */
    public static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(PARSED_DEPTH)
                                                    .maxNumberLength(LONGEST_NUMBER)
                                                    .maxNameLength(LONGEST_NAME)
                                                    .maxStringLength(Integer.MAX_VALUE)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** It is stored byte by byte as it was written; only that it is an object is looked at. */
    static final class AsWritten implements Codec.Text<Document> {
        @Override
        public byte[] encode(Document document, byte @Nullable [] before) {
            return document.json();
        }

        @Override
        public Document decode(byte[] value) {
            throw new UnsupportedOperationException("A document is known by its key.");
        }

        @Override
        public Document decode(String key, byte[] value) {
            if (!Soundness.isObject(value)) {
                throw new IllegalArgumentException("it is not a JSON object");
            }
            return new Document(key, value);
        }
    }

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
        JsonNode tree = MAPPER.readTree(json);
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
