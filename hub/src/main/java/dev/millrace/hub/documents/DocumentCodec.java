package dev.millrace.hub.documents;

import dev.millrace.keyspace.Codec;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;

/** A document is stored byte by byte as it was written; only that it is an object is looked at. */
final class DocumentCodec implements Codec.Text<Document> {
    private static final JsonMapper MAPPER = new JsonMapper();

    @Override
    public byte[] encode(Document document, byte @Nullable [] before) {
        return document.json().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Document decode(byte[] value) {
        throw new UnsupportedOperationException("A document is known by its key.");
    }

    @Override
    public Document decode(String key, byte[] value) {
        if (!MAPPER.readTree(value).isObject()) {
            throw new IllegalArgumentException("it is no JSON object");
        }
        return new Document(key, new String(value, StandardCharsets.UTF_8));
    }
}
