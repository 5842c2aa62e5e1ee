package dev.millrace.hub.documents.kept;

import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;

/** A document is stored byte by byte as it was written; only that it is an object is looked at. */
final class DocumentCodec implements Codec.Text<Document> {

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
            throw new IllegalArgumentException("it is no JSON object");
        }
        return new Document(key, value);
    }
}
