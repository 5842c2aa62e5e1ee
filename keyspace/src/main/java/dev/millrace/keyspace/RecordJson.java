package dev.millrace.keyspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** JSON of a record: its components by name, in their order, without those that are null. */
final class RecordJson<E> implements Codec.Text<E> {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .changeDefaultPropertyInclusion(
                            all -> all.withValueInclusion(JsonInclude.Include.NON_NULL))
                    .build();

    /** For members of others, whose numbers are not ours to round. */
    private static final ObjectReader EXACTLY =
            MAPPER.reader()
                    .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);

    private final ObjectReader reader;
    private final ObjectWriter writer;
    private final Set<String> known = new HashSet<>();

    RecordJson(Class<E> type) {
        this.reader = MAPPER.readerFor(type);
        this.writer = MAPPER.writerFor(type);
        for (RecordComponent component : type.getRecordComponents()) {
            JsonProperty renamed = component.getAccessor().getAnnotation(JsonProperty.class);
            boolean plain = renamed == null || renamed.value().isEmpty();
            known.add(plain ? component.getName() : renamed.value());
        }
    }

    @Override
    public byte[] encode(E entity, byte @Nullable [] before) {
        byte[] fresh = writer.writeValueAsBytes(entity);
        if (before == null) {
            return fresh;
        }
        ObjectNode foreign = MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> member : EXACTLY.readTree(before).properties()) {
            if (!known.contains(member.getKey())) {
                foreign.set(member.getKey(), member.getValue());
            }
        }
        if (foreign.isEmpty()) {
            return fresh;
        }
        ObjectNode merged = (ObjectNode) EXACTLY.readTree(fresh);
        merged.setAll(foreign);
        return MAPPER.writeValueAsBytes(merged);
    }

    @Override
    public E decode(byte[] value) {
        E entity = reader.readValue(value);
        if (entity == null) {
            throw new IllegalArgumentException("it is null");
        }
        return entity;
    }
}
