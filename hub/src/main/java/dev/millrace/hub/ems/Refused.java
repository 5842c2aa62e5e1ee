package dev.millrace.hub.ems;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Why something is not done, for the services of all these rooms: they return it as a value, and
 * over HTTP it becomes the failure that clients know.
 *
 * @param message for a person
 * @param details for a program; empty if there are none
 */
public record Refused(EmsCode code, String message, Map<String, Object> details) {
    public Refused {
        details = Map.copyOf(details);
    }

    public static Refused of(EmsCode code, String message) {
        return new Refused(code, message, Map.of());
    }

    /** With one more thing for a program. */
    public Refused with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(details);
        more.put(name, value);
        return new Refused(code, message, more);
    }

    /** To be thrown where a value cannot be returned. */
    public RefusedException exception() {
        return new RefusedException(this);
    }
}
