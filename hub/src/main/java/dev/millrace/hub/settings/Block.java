package dev.millrace.hub.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The settings of one feature: which there are, and how they become its record.
 *
 * @param keys in the order in which people read them
 * @param reader notes what is wrong in the values and goes on with defaults, so that a person hears
 *     of all mistakes at once
 */
public record Block<S>(Keys.Group keys, Function<Values, S> reader) {

    /**
     * The settings that a record has: every component is either one, and says so by {@link
     * Setting}, or a record with more of them, below its name.
     *
     * @param name what all their names begin with; empty for those that stand by themselves
     * @param about the feature, in a few words
     */
    public static <S extends Record> Block<S> of(String name, String about, Class<S> type) {
        String prefix = name.isEmpty() ? "" : name + ".";
        Map<String, Key<?>> keys = new LinkedHashMap<>();
        collect(prefix, type, keys);
        return new Block<>(
                new Keys.Group(about, List.copyOf(keys.values())),
                values -> type.cast(read(prefix, type, keys, values)));
    }

    /** What the values say; meant to be used only if they have no problems afterwards. */
    public S read(Values values) {
        return reader.apply(values);
    }

    /** What counts where nobody says anything. */
    public S standard() {
        return read(new Values(Map.of(), List.of()));
    }

    /** One of its settings, for those who look at it together with settings of others. */
    public Key<?> key(String name) {
        return keys.keys().stream()
                .filter(key -> key.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }

    private static void collect(String prefix, Class<?> type, Map<String, Key<?>> keys) {
        for (RecordComponent component : type.getRecordComponents()) {
            Optional<Setting> setting = Optional.ofNullable(component.getAnnotation(Setting.class));
            if (setting.isPresent()) {
                Key<?> key = Components.key(prefix, component, setting.get());
                keys.put(key.name(), key);
            } else if (component.getType().isRecord()) {
                collect(prefix + Components.name(component) + ".", component.getType(), keys);
            } else {
                throw new IllegalArgumentException(
                        component + " is neither a setting nor a record");
            }
        }
    }

    private static Object read(
            String prefix, Class<?> type, Map<String, Key<?>> keys, Values values) {
        List<Object> parts = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + Components.name(component);
            Key<?> key = keys.get(name);
            parts.add(
                    key == null
                            ? read(name + ".", component.getType(), keys, values)
                            : values.get(key));
        }
        Object made = make(type, parts);
        if (made instanceof Checked checked) {
            checked.check(new Noted(prefix, keys, values));
        }
        return made;
    }

    private record Noted(String prefix, Map<String, Key<?>> keys, Values values)
            implements Checked.Problems {
        @Override
        public boolean isRight(String setting) {
            return values.isRight(key(setting));
        }

        @Override
        public void note(String setting, String sentence) {
            values.problem(key(setting), sentence);
        }

        private Key<?> key(String setting) {
            return Objects.requireNonNull(keys.get(prefix + setting), setting);
        }
    }

    private static Object make(Class<?> type, List<Object> parts) {
        Class<?>[] types = new Class<?>[parts.size()];
        RecordComponent[] components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(parts.toArray());
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
