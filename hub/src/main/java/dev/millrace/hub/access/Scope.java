package dev.millrace.hub.access;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a token is limited to: a room, {@code alarms}, or a namespace in it, {@code
 * documents/brewery}.
 *
 * <p>A namespace is a path with {@code :} between its parts, as documents have it, and a scope
 * covers what lies below: {@code documents/brewery} also {@code brewery:tanks}, but not {@code
 * brewery-2}. A document's key is its namespace, a colon and its id, so this means the same as "the
 * key begins with {@code brewery:}"; that one key can be read as two pairs of namespace and id
 * opens no way around.
 */
public record Scope(String room, Optional<String> namespace) {
    private static final Pattern FORM = Pattern.compile("([a-z]{1,32})(?:/([^/*?\\[\\]\\\\]+))?");

    /** Letters of any script, as in the names of documents. */
    private static final Pattern NAMESPACE =
            Pattern.compile("[\\w.~ ()-]+(?::[\\w.~ ()-]+)*+", Pattern.UNICODE_CHARACTER_CLASS);

    private static final int LONGEST = 255;

    /**
     * Reads {@code room} or {@code room/namespace}.
     *
     * @throws IllegalArgumentException with a sentence for a person
     */
    @JsonCreator
    public static Scope parse(String text) {
        Matcher form = FORM.matcher(text);
        if (text.length() > LONGEST || !form.matches()) {
            throw bad(text);
        }
        Optional<String> namespace = Optional.ofNullable(form.group(2));
        if (namespace.isPresent() && !NAMESPACE.matcher(namespace.get()).matches()) {
            throw bad(text);
        }
        return new Scope(form.group(1), namespace);
    }

    private static IllegalArgumentException bad(String text) {
        String shown = text.length() > 48 ? text.substring(0, 48) + "…" : text;
        return new IllegalArgumentException(
                "'%s' is not a valid scope; write a room, such as alarms, or a room and a namespace in it,"
                                .formatted(shown)
                        + " such as documents/brewery.");
    }

    /**
     * Looks whether there is such a room; a token that is limited to one that nobody knows would be
     * good for nothing.
     *
     * @throws IllegalArgumentException with a sentence for a person
     */
    public Scope in(Collection<String> rooms) {
        if (!rooms.contains(room)) {
            throw new IllegalArgumentException(
                    "'%s' is not a room; the rooms are %s."
                            .formatted(room, String.join(", ", new TreeSet<>(rooms))));
        }
        return this;
    }

    /** Whether all of the room is covered. */
    public boolean covers(String wanted) {
        return room.equals(wanted) && namespace.isEmpty();
    }

    /** Whether this namespace of the room is covered. */
    public boolean covers(String wanted, String inside) {
        return room.equals(wanted)
                && (namespace.isEmpty()
                        || inside.equals(namespace.get())
                        || inside.startsWith(namespace.get() + ":"));
    }

    /** Whether at least a part of the room is covered; which one, the room has to ask. */
    public boolean touches(String wanted) {
        return room.equals(wanted);
    }

    @JsonValue
    @Override
    public String toString() {
        return room + namespace.map("/"::concat).orElse("");
    }
}
