package dev.millrace.keyspace.layout;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A record as the fields of a hash: text as it is, numbers in decimal, booleans as {@code true} and
 * {@code false}, enums by name. A component that is null has no field; a missing field is null, 0
 * or false. A field has the component's name, unless {@code @JsonProperty} gives it another. What
 * the key says is not said again in a field.
 */
final class RecordFields<E> implements Codec.Fields<E> {
    private final List<String> components;
    private final Set<String> names;
    private final List<Class<?>> types;
    private final List<Function<E, @Nullable Object>> accessors;
    private final MethodHandle constructor;

    /**
     * Reads and writes records of this type.
     *
     * @param inKey the components that have no field, because the key says them
     */
    RecordFields(Class<E> type, Collection<String> inKey) {
        RecordComponent[] all = type.getRecordComponents();
        components = Arrays.stream(all).map(RecordAccess::storedName).toList();
        names =
                components.stream()
                        .filter(each -> !inKey.contains(each))
                        .collect(Collectors.toUnmodifiableSet());
        types = Stream.of(all).<Class<?>>map(RecordComponent::getType).toList();
        accessors = Stream.of(all).map(each -> RecordAccess.accessor(type, each)).toList();
        types.forEach(RecordFields::checkType);
        try {
            constructor =
                    MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                            .findConstructor(type, MethodType.methodType(void.class, types));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("The record " + type + " cannot be built.", e);
        }
    }

    private static void checkType(Class<?> type) {
        boolean fits =
                type == String.class
                        || type == long.class
                        || type == int.class
                        || type == double.class
                        || type == boolean.class
                        || type == Long.class
                        || type == Double.class
                        || type == Boolean.class
                        || type.isEnum();
        if (!fits) {
            throw new IllegalArgumentException(
                    "A hash field cannot hold " + type + "; give the layout a codec of its own.");
        }
    }

    @Override
    public Set<String> names() {
        return names;
    }

    @Override
    public Map<String, String> encode(E entity) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < accessors.size(); i++) {
            String name = components.get(i);
            Object value = names.contains(name) ? accessors.get(i).apply(entity) : null;
            if (value instanceof Double number) {
                fields.put(name, Entry.score(number));
            } else if (value instanceof Enum<?> constant) {
                fields.put(name, constant.name());
            } else if (value != null) {
                fields.put(name, value.toString());
            }
        }
        return fields;
    }

    @Override
    @SuppressWarnings("unchecked") // the constructor is that of E
    public E decode(Map<String, String> fields) {
        @Nullable Object[] arguments = new @Nullable Object[components.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = value(types.get(i), fields.get(components.get(i)));
        }
        try {
            return (E) constructor.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalArgumentException(e);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an enum's type is known only at run time
    private static @Nullable Object value(Class<?> type, @Nullable String text) {
        if (text == null) {
            return type == long.class || type == int.class || type == double.class
                    ? (Object) 0
                    : type == boolean.class ? (Object) false : null;
        }
        if (type == long.class || type == Long.class) {
            return Long.valueOf(text);
        }
        if (type == int.class) {
            return Integer.valueOf(text);
        }
        if (type == double.class || type == Double.class) {
            return Double.valueOf(text);
        }
        if (type == boolean.class || type == Boolean.class) {
            return Boolean.valueOf(text);
        }
        return type.isEnum() ? Enum.valueOf((Class) type, text) : text;
    }
}
