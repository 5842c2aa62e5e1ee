package dev.millrace.hub.http;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * What is wrong with a JSON text, in words of our own. Those of the library name classes and
 * settings of ours, which are nobody's business and no help either.
 */
final class JsonFault {
    private static final String OURS = "dev.millrace.";
    private static final int LONGEST = 40;

    private JsonFault() {}

    /** What is wrong, and with which member: {@code channels[0].type must be a text}. */
    static String reason(JacksonException e) {
        String member = member(e);
        return switch (e) {
            case Json.Told told -> at(member) + e.getOriginalMessage();
            case StreamConstraintsException limits ->
                    "it is nested too deeply, or a name, a number or a text in it is too long";
            case InputCoercionException number -> "a number is out of range";
            case UnexpectedEndOfInputException end -> "it ends too early";
            case StreamReadException syntax ->
                    String.valueOf(syntax.getOriginalMessage()).contains("base64")
                            ? "a binary value in it is not base64"
                            : "it is not valid JSON";
            case UnrecognizedPropertyException unknown -> unknown(unknown, member);
            case ValueInstantiationException refused -> at(member) + told(refused);
            case InvalidFormatException format ->
                    "%s must be %s, not %s"
                            .formatted(
                                    name(member),
                                    word(format.getTargetType()),
                                    shortened(format.getValue()));
            case MismatchedInputException other -> mismatch(other, member);
            default -> at(member) + "it cannot be read";
        };
    }

    private static String mismatch(MismatchedInputException e, String member) {
        if (String.valueOf(e.getOriginalMessage()).startsWith("Trailing token")) {
            return "something follows after its end";
        }
        if (String.valueOf(e.getOriginalMessage()).startsWith("No content")) {
            return "it is empty";
        }
        return "%s must be %s".formatted(name(member), word(e.getTargetType()));
    }

    private static String unknown(UnrecognizedPropertyException e, String member) {
        Collection<Object> known = e.getKnownPropertyIds();
        String rest =
                known == null || known.isEmpty()
                        ? ""
                        : "; there are "
                                + known.stream()
                                        .map(Object::toString)
                                        .collect(Collectors.joining(", "));
        return "there is no member %s%s".formatted(shortened(member), rest);
    }

    /** What a constructor of ours has to say; that of anybody else is not passed on. */
    private static String told(ValueInstantiationException e) {
        Throwable cause = e.getCause();
        StackTraceElement[] stack =
                cause == null ? new StackTraceElement[0] : cause.getStackTrace();
        return cause != null
                        && cause.getClass() == IllegalArgumentException.class
                        && cause.getMessage() != null
                        && stack.length > 0
                        && stack[0].getClassName().startsWith(OURS)
                ? cause.getMessage().replaceFirst("\\.$", "")
                : "must be " + word(e.getType() == null ? null : e.getType().getRawClass());
    }

    private static String at(String member) {
        return member.isEmpty() ? "" : member + ": ";
    }

    private static String name(String member) {
        return member.isEmpty() ? "it" : member;
    }

    private static String member(JacksonException e) {
        StringBuilder text = new StringBuilder();
        for (JacksonException.Reference each : e.getPath()) {
            if (each.getPropertyName() == null) {
                text.append('[').append(each.getIndex()).append(']');
            } else {
                text.append(text.isEmpty() ? "" : ".").append(each.getPropertyName());
            }
        }
        return text.toString();
    }

    private static String shortened(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }

    private static String word(@Nullable Class<?> type) {
        if (type == null) {
            return "something else";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(value -> Json.MAPPER.convertValue(value, String.class))
                            .collect(Collectors.joining(", "));
        }
        if (CharSequence.class.isAssignableFrom(type)) {
            return "a text";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == double.class || type == float.class) {
            return "a number";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return type == Double.class || type == Float.class || type == Number.class
                    ? "a number"
                    : "a whole number";
        }
        if (type == Instant.class) {
            return "a time such as 2026-01-31T12:00:00Z";
        }
        if (type == Duration.class) {
            return "a duration";
        }
        return type.isArray() || Collection.class.isAssignableFrom(type) ? "an array" : "an object";
    }
}
