package dev.millrace.hub.models;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a model is: the effective configuration, with what its template gave. */
record ModelConfiguration(String id, ObjectNode document) {

    @Nullable String template() {
        String template = document.path("template").asString("");
        return template.isEmpty() ? null : template;
    }

    /** A model that names no type has that of its template, or its template for one. */
    @Nullable String typeOrTemplate() {
        String type = document.path("type").asString("");
        return type.isEmpty() ? template() : type;
    }

    String name() {
        return document.path("name").asString(id);
    }

    /** The document, whole; which model it is is said by its key. */
    static final class Document implements Codec.Text<ModelConfiguration> {
        @Override
        public byte[] encode(ModelConfiguration model, byte @Nullable [] before) {
            return Json.write(model.document);
        }

        @Override
        public ModelConfiguration decode(byte[] value) {
            throw new UnsupportedOperationException("A model is known by its key.");
        }

        @Override
        public ModelConfiguration decode(String key, byte[] value) {
            JsonNode node = Json.MAPPER.readTree(value);
            if (!(node instanceof ObjectNode object)) {
                throw new IllegalArgumentException("it is not a JSON object");
            }
            int first = key.indexOf(':');
            return new ModelConfiguration(key.substring(first + 1, key.lastIndexOf(':')), object);
        }
    }
}
