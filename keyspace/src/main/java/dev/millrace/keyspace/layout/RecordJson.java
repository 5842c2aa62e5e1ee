package dev.millrace.keyspace.layout;

import static java.lang.String.CASE_INSENSITIVE_ORDER;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;

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
import java.util.TreeSet;

/**
 * JSON of a record: its components by name, in their order, without those that are null.
 * {@code @JsonProperty} and {@code @JsonFormat} on the record count.
 */
public final class RecordJson<E> implements Codec.Text<E> {
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
    private final Set<String> known;

    public RecordJson(Class<E> type) {
        this.reader = MAPPER.readerFor(type);
        this.writer = MAPPER.writerFor(type);
        this.known = ignoresCase(type) ? new TreeSet<>(CASE_INSENSITIVE_ORDER) : new HashSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            known.add(RecordAccess.storedName(component));
        }
    }

    private static boolean ignoresCase(Class<?> type) {
        JsonFormat format = type.getAnnotation(JsonFormat.class);
        return format != null
                && Set.of(format.with())
                        .contains(JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES);
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
