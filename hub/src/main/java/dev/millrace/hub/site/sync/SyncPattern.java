package dev.millrace.hub.site.sync;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is copied where, as whoever made it has written it. */
record SyncPattern(String id, ObjectNode document) {

    boolean enabled() {
        JsonNode enabled = document.path("enabled");
        return !enabled.isBoolean() || enabled.booleanValue();
    }

    String source() {
        return document.path("source").path("pattern").asString("");
    }

    String target() {
        return document.path("target").path("pattern").asString("");
    }

    boolean sourceIsString() {
        return document.path("source").path("type").asString("hash").equals("string");
    }

    boolean targetIsString() {
        return document.path("target").path("type").asString("hash").equals("string");
    }

    /** The document, whole; which pattern it is is said by its key. */
    static final class Document implements Codec.Text<SyncPattern> {
        @Override
        public byte[] encode(SyncPattern pattern, byte @Nullable [] before) {
            return Json.write(pattern.document);
        }

        @Override
        public SyncPattern decode(byte[] value) {
            throw new UnsupportedOperationException("A pattern is known by its key.");
        }

        @Override
        public SyncPattern decode(String key, byte[] value) {
            JsonNode node = Json.MAPPER.readTree(value);
            if (!(node instanceof ObjectNode object)) {
                throw new IllegalArgumentException("it is not a JSON object");
            }
            return new SyncPattern(key.substring(key.lastIndexOf(':') + 1), object);
        }
    }
}
