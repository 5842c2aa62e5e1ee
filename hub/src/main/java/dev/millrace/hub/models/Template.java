package dev.millrace.hub.models;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The class of some models: what they have in common. */
record Template(String id, ObjectNode document) {

    JsonNode measurements() {
        return document.path("measurements");
    }

    JsonNode actions() {
        return document.path("actions");
    }

    /** The document, whole; which template it is is said by its key. */
    static final class Document implements Codec.Text<Template> {
        @Override
        public byte[] encode(Template template, byte @Nullable [] before) {
            return Json.write(template.document);
        }

        @Override
        public Template decode(byte[] value) {
            throw new UnsupportedOperationException("A template is known by its key.");
        }

        @Override
        public Template decode(String key, byte[] value) {
            JsonNode node = Json.MAPPER.readTree(value);
            if (!(node instanceof ObjectNode object)) {
                throw new IllegalArgumentException("it is not a JSON object");
            }
            return new Template(key.substring(key.lastIndexOf(':') + 1), object);
        }
    }
}
