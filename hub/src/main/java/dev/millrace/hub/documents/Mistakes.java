package dev.millrace.hub.documents;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Everything that is wrong with a body, collected so that it is told together. */
final class Mistakes {
    private final List<Mistake> all = new ArrayList<>();

    /**
     * One of them.
     *
     * @param type a word that clients know
     * @param input what was found there
     * @param context what the message speaks of, by name
     */
    record Mistake(
            String type,
            Place place,
            String message,
            @Nullable Object input,
            Map<String, Object> context) {}

    /** A place in a request: {@code body}, then names and numbers. */
    record Place(List<Object> steps) {
        static final Place BODY = new Place(List.of("body"));

        Place in(Object step) {
            List<Object> deeper = new ArrayList<>(steps);
            deeper.add(step);
            return new Place(List.copyOf(deeper));
        }
    }

    Mistakes add(String type, Place place, String message, @Nullable Object input) {
        return add(type, place, message, input, Map.of());
    }

    Mistakes add(
            String type,
            Place place,
            String message,
            @Nullable Object input,
            Map<String, Object> context) {
        all.add(new Mistake(type, place, message, input, context));
        return this;
    }

    Mistakes missing(Place place, @Nullable Object lacking) {
        return add("missing", place, "Field required", lacking);
    }

    Mistakes notAString(Place place, @Nullable Object input) {
        return add("string_type", place, "Input should be a valid string", input);
    }

    Mistakes notAList(Place place, @Nullable Object input) {
        return add("list_type", place, "Input should be a valid list", input);
    }

    Mistakes notAnObject(Place place, @Nullable Object input) {
        return add(
                "model_attributes_type",
                place,
                "Input should be a valid dictionary or object to extract fields from",
                input);
    }

    /** If there is any, that is the end of it. */
    void mustBeNone() {
        if (!all.isEmpty()) {
            throw refused();
        }
    }

    RefusedException refused() {
        return new RefusedException(new Refused.Invalid(all));
    }
}
