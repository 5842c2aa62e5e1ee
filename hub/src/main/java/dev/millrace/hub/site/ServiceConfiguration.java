package dev.millrace.hub.site;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The settings of one service, as whoever made them has written them. */
record ServiceConfiguration(String name, ObjectNode document) {

    /** The document, whole; whose it is is said by its key. */
    static final class Document implements Codec.Text<ServiceConfiguration> {
        @Override
        public byte[] encode(ServiceConfiguration service, byte @Nullable [] before) {
            return Json.write(service.document);
        }

        @Override
        public ServiceConfiguration decode(byte[] value) {
            throw new UnsupportedOperationException("A service is known by its key.");
        }

        @Override
        public ServiceConfiguration decode(String key, byte[] value) {
            JsonNode node = Json.MAPPER.readTree(value);
            if (!(node instanceof ObjectNode object)) {
                throw new IllegalArgumentException("it is not a JSON object");
            }
            return new ServiceConfiguration(key.substring(key.lastIndexOf(':') + 1), object);
        }
    }
}
