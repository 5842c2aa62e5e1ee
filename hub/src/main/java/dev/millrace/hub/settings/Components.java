package dev.millrace.hub.settings;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Which key a component of a record is: its name, and what its type says about its values. */
final class Components {
    private Components() {}

    static String name(RecordComponent component) {
        return component
                .getName()
                .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .toLowerCase(Locale.ROOT);
    }

    static Key<?> key(String prefix, RecordComponent component, Setting setting) {
        String name = prefix + name(component);
        Type type = component.getGenericType();
        Key<?> key;
        if (raw(type) == Optional.class) {
            Kind<?> kind = kind(argument(type, 0), component, setting);
            key = Key.optional(name, kind, setting.empty(), setting.about());
        } else {
            Kind<?> kind = kind(type, component, setting);
            key =
                    setting.standard().isEmpty()
                            ? Key.none(name, kind, setting.empty(), setting.about())
                            : Key.of(name, kind, setting.standard(), setting.about());
        }
        return switch (setting.secrecy()) {
            case OPEN -> key;
            case ADDRESS -> key.address();
            case SECRET -> key.secret();
        };
    }

    private static Kind<?> kind(Type type, RecordComponent component, Setting setting) {
        Class<?> raw = raw(type);
        if (raw == List.class) {
            return Kind.list(kind(argument(type, 0), component, setting));
        }
        if (raw == Map.class) {
            return Kind.map(
                    kind(argument(type, 0), component, setting),
                    kind(argument(type, 1), component, setting));
        }
        if (!setting.by().isEmpty()) {
            return parsed(component.getDeclaringRecord(), setting.by());
        }
        return switch (setting.meaning()) {
            case PORT -> Kind.PORT;
            case HOST -> Kind.HOST;
            case PLAIN -> plain(raw, setting);
        };
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // It was asked whether it is an enumeration.
    private static Kind<?> plain(Class<?> type, Setting setting) {
        if (type == int.class || type == Integer.class) {
            return Kind.number(
                    number(setting.least(), 0), number(setting.most(), Integer.MAX_VALUE));
        }
        if (type == boolean.class || type == Boolean.class) {
            return Kind.YES_OR_NO;
        }
        if (type == String.class) {
            return Kind.TEXT;
        }
        if (type == Path.class) {
            return Kind.PATH;
        }
        if (type == Network.class) {
            return Kind.NETWORK;
        }
        if (type == Duration.class) {
            return Kind.time(
                    setting.least().isEmpty()
                            ? Duration.ofMillis(1)
                            : Kind.time(Duration.ZERO).read(List.of(setting.least())));
        }
        if (type == Bytes.class) {
            return Kind.size(
                    setting.least().isEmpty() ? new Bytes(1) : Bytes.of(setting.least()),
                    setting.most().isEmpty()
                            ? new Bytes(Long.MAX_VALUE)
                            : Bytes.of(setting.most()));
        }
        if (type.isEnum()) {
            return Kind.choice((Class<Enum>) type);
        }
        return parsed(type, "of");
    }

    private static int number(String text, int otherwise) {
        return text.isEmpty() ? otherwise : Integer.parseInt(text);
    }

    /** Read by a static method that takes a text. */
    private static Kind<?> parsed(Class<?> owner, String name) {
        Method method;
        try {
            method = owner.getDeclaredMethod(name, String.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    "%s has no method %s that reads a text".formatted(owner.getName(), name), e);
        }
        if (!Modifier.isStatic(method.getModifiers())) {
            throw new IllegalArgumentException(method + " is not static");
        }
        method.setAccessible(true);
        return Kind.one(text -> call(method, text));
    }

    private static Object call(Method method, @Nullable Object... arguments) {
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException wrong) {
                throw wrong;
            }
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> (Class<?>) generic.getRawType();
            default -> throw new IllegalArgumentException(type + " cannot be a setting");
        };
    }

    private static Type argument(Type type, int index) {
        if (type instanceof ParameterizedType generic) {
            return generic.getActualTypeArguments()[index];
        }
        throw new IllegalArgumentException(type + " says nothing about its elements");
    }
}
