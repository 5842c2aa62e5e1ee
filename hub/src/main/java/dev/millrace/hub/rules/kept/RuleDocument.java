package dev.millrace.hub.rules.kept;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Instant;

/**
 * A business rule as it was submitted, with all members that nobody here knows. Not to be changed.
 */
public record RuleDocument(String id, ObjectNode document) {
    static final String ENABLED = "enabled";

    /** What its JSON says; {@code rule:status} counts before it. */
    boolean saysEnabled() {
        return document.path(ENABLED).asBoolean(true);
    }

    /** When it was changed last, in ms, as far as whoever did it has said so; 0 if not. */
    public long updatedAt() {
        return moment(document, "updated_at");
    }

    /** When it was made, in the same way. */
    public long createdAt() {
        return moment(document, "created_at");
    }

    /** A time in a document or a record, in ms; 0 if there is none. */
    public static long moment(ObjectNode json, String member) {
        try {
            return Instant.parse(json.path(member).asString("")).toEpochMilli();
        } catch (DateTimeException e) {
            return 0;
        }
    }

    /** The document, whole; its key says which rule it is about where the document does not. */
    static final class Text implements Codec.Text<RuleDocument> {
        @Override
        public byte[] encode(RuleDocument rule, byte @Nullable [] before) {
            return Json.write(rule.document());
        }

        @Override
        public RuleDocument decode(byte[] value) {
            throw new UnsupportedOperationException("A rule is known by its key.");
        }

        @Override
        public RuleDocument decode(String key, byte[] value) {
            JsonNode node = Json.MAPPER.readTree(value);
            if (!(node instanceof ObjectNode object)) {
                throw new IllegalArgumentException("it is not a JSON object of a rule");
            }
            String id = key.substring("rule:".length());
            return new RuleDocument(object.path("id").asString(id), object);
        }
    }
}
