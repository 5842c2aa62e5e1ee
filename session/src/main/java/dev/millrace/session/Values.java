package dev.millrace.session;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Base64;

/**
 * Attributes as JSON and back. Texts, booleans, whole and decimal numbers are what they look like,
 * so that other programs can read them; everything else that is serializable becomes its Java form,
 * of which only classes are read back that the filter allows.
 */
final class Values {
    static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** The one member of what JSON has no word for, so that one replaces the other. */
    private static final String TYPED = "@";

    private static final String JAVA = "java:";
    private static final String LONG = "long:";

    /** Lists, maps, dates and the like, and nothing of any library. */
    static final String STANDARD_CLASSES = "maxbytes=1048576;maxdepth=50;java.base/*;!*";

    private final ObjectInputFilter filter;

    /**
     * With these classes.
     *
     * @param classes in the form of {@link ObjectInputFilter.Config#createFilter}
     */
    Values(String classes) {
        this.filter = ObjectInputFilter.Config.createFilter(classes);
    }

    JsonNode write(Object value) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        if (value instanceof String text) {
            return json.stringNode(text);
        }
        if (value instanceof Boolean yes) {
            return json.booleanNode(yes);
        }
        if (value instanceof Integer number) {
            return json.numberNode(number);
        }
        if (value instanceof Double number && Double.isFinite(number)) {
            return json.numberNode(number);
        }
        if (value instanceof Long number) {
            return json.objectNode().put(TYPED, LONG + number);
        }
        if (!(value instanceof Serializable)) {
            throw new IllegalArgumentException(
                    "A session keeps what is serializable; %s is not."
                            .formatted(value.getClass().getName()));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new IllegalArgumentException("This value cannot be kept: " + e.getMessage(), e);
        }
        return json.objectNode()
                .put(TYPED, JAVA + Base64.getEncoder().encodeToString(bytes.toByteArray()));
    }

    /** Other JSON, which another program wrote, as plain maps and lists. */
    @Nullable Object read(JsonNode json) {
        if (json.isString()) {
            return json.asString();
        }
        if (json.isBoolean()) {
            return json.asBoolean();
        }
        if (json.isInt()) {
            return json.asInt();
        }
        if (json.isDouble() || json.isBigDecimal()) {
            return json.asDouble();
        }
        if (json.isObject() && json.size() == 1 && json.path(TYPED).isString()) {
            String typed = json.path(TYPED).asString();
            if (typed.startsWith(LONG)) {
                return Long.valueOf(typed.substring(LONG.length()));
            }
            if (typed.startsWith(JAVA)) {
                return java(typed.substring(JAVA.length()));
            }
        }
        return MAPPER.treeToValue(json, Object.class);
    }

    private Object java(String text) {
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text))) {
                    @Override
                    protected Class<?> resolveClass(java.io.ObjectStreamClass type)
                            throws IOException, ClassNotFoundException {
                        ClassLoader loader = Thread.currentThread().getContextClassLoader();
                        try {
                            return loader == null
                                    ? super.resolveClass(type)
                                    : Class.forName(type.getName(), false, loader);
                        } catch (ClassNotFoundException e) {
                            return super.resolveClass(type);
                        }
                    }
                }) {
            in.setObjectInputFilter(filter);
            return in.readObject();
        } catch (IOException | ClassNotFoundException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    "An attribute cannot be read back; name its classes in the filter's classes: "
                            + e.getMessage(),
                    e);
        }
    }
}
