package dev.millrace.keyspace.layout;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The components of a record as functions, looked up once when a layout is declared. */
final class RecordAccess {
    private RecordAccess() {}

    static <E> Map<String, Function<? super E, ? extends @Nullable Object>> of(Class<E> type) {
        Map<String, Function<? super E, ? extends @Nullable Object>> found = new LinkedHashMap<>();
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                found.put(component.getName(), accessor(type, component));
            }
        }
        return found;
    }

    /** What a component is called in Redis: {@link JsonProperty}, or its own name. */
    static String storedName(RecordComponent component) {
        JsonProperty renamed = component.getAccessor().getAnnotation(JsonProperty.class);
        return renamed == null || renamed.value().isEmpty() ? component.getName() : renamed.value();
    }

    static <E> Function<E, @Nullable Object> accessor(Class<E> type, RecordComponent component) {
        MethodHandle handle;
        try {
            handle =
                    MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                            .unreflect(component.getAccessor())
                            .asType(MethodType.methodType(Object.class, Object.class));
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException("The record " + type + " cannot be read.", e);
        }
        return entity -> {
            try {
                return handle.invokeExact((Object) entity);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("A record's accessor failed.", e);
            }
        };
    }
}
