package dev.millrace.hub.http.openapi;

import com.fasterxml.jackson.annotation.JsonProperty;

import dev.millrace.hub.http.Json;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The JSON shape of a record, told from its components. Each record is described once, by name. */
final class Shapes {
    private final Map<String, Object> named = new TreeMap<>();

    Map<String, Object> named() {
        return named;
    }

    Map<String, Object> of(Type type) {
        if (type instanceof ParameterizedType generic
                && generic.getRawType() instanceof Class<?> raw) {
            Type[] arguments = generic.getActualTypeArguments();
            if (raw == Optional.class) {
                return of(arguments[0]);
            }
            if (Collection.class.isAssignableFrom(raw)) {
                return Map.of("type", "array", "items", of(arguments[0]));
            }
            if (Map.class.isAssignableFrom(raw)) {
                return Map.of("type", "object", "additionalProperties", of(arguments[1]));
            }
            return of(raw);
        }
        return type instanceof Class<?> known ? ofClass(known) : Map.of();
    }

    private Map<String, Object> ofClass(Class<?> type) {
        if (type == String.class || type == Duration.class || type == char.class) {
            return Map.of("type", "string");
        }
        if (type == Instant.class) {
            return Map.of("type", "string", "format", "date-time");
        }
        if (type == boolean.class || type == Boolean.class) {
            return Map.of("type", "boolean");
        }
        if (type == int.class
                || type == long.class
                || type == Integer.class
                || type == Long.class) {
            return Map.of("type", "integer");
        }
        if (type == double.class || type == Double.class || Number.class.isAssignableFrom(type)) {
            return Map.of("type", "number");
        }
        if (type.isEnum()) {
            return Map.of(
                    "type",
                    "string",
                    "enum",
                    Arrays.stream(type.getEnumConstants())
                            .map(value -> Json.MAPPER.convertValue(value, String.class))
                            .toList());
        }
        return type.isRecord() ? reference(type) : Map.of();
    }

    private Map<String, Object> reference(Class<?> type) {
        String name =
                type.getDeclaringClass() == null
                        ? type.getSimpleName()
                        : type.getDeclaringClass().getSimpleName() + type.getSimpleName();
        if (!named.containsKey(name)) {
            Map<String, Object> properties = new LinkedHashMap<>();
            named.put(name, Map.of("type", "object", "properties", properties));
            for (RecordComponent component : type.getRecordComponents()) {
                JsonProperty given = component.getAccessor().getAnnotation(JsonProperty.class);
                properties.put(
                        given == null ? component.getName() : given.value(),
                        of(component.getGenericType()));
            }
        }
        return Map.of("$ref", "#/components/schemas/" + name);
    }
}
