package dev.millrace.hub.documents.kept;

import dev.millrace.hub.http.Answer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that is wrong with a request, collected and answered together: status 422, one item
 * for each mistake with where it is and what was found there.
 */
public final class Invalid {
    private static final int STATUS = 422;

    private final List<Map<String, @Nullable Object>> errors = new ArrayList<>();

    /** A place in a request: {@code body}, then names and numbers. */
    public record Place(List<Object> steps) {
        public static final Place BODY = new Place(List.of("body"));

        public Place in(Object step) {
            List<Object> deeper = new ArrayList<>(steps);
            deeper.add(step);
            return new Place(List.copyOf(deeper));
        }
    }

    public Invalid add(String type, Place place, String message, @Nullable Object input) {
        return add(type, place, message, input, Map.of());
    }

    public Invalid add(
            String type,
            Place place,
            String message,
            @Nullable Object input,
            Map<String, Object> context) {
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("type", type);
        error.put("loc", place.steps());
        error.put("msg", message);
        error.put("input", input);
        if (!context.isEmpty()) {
            error.put("ctx", context);
        }
        errors.add(error);
        return this;
    }

    public Invalid missing(Place place, @Nullable Object lacking) {
        return add("missing", place, "Field required", lacking);
    }

    public Invalid notAString(Place place, @Nullable Object input) {
        return add("string_type", place, "Input should be a valid string", input);
    }

    public Invalid notAList(Place place, @Nullable Object input) {
        return add("list_type", place, "Input should be a valid list", input);
    }

    public Invalid notAnObject(Place place, @Nullable Object input) {
        return add(
                "model_attributes_type",
                place,
                "Input should be a valid dictionary or object to extract fields from",
                input);
    }

    /** If there is anything, that is the answer. */
    public void mustBeEmpty() {
        if (!errors.isEmpty()) {
            throw refused();
        }
    }

    public Refused refused() {
        return new Refused(Answer.json(STATUS, Map.of("detail", errors)));
    }
}
