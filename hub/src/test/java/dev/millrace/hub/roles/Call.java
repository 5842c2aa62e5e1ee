package dev.millrace.hub.roles;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is sent to a route, besides its method.
 *
 * @param body each letter is a byte, so that it can be binary too
 */
record Call(String path, String body, Map<String, String> headers) {

    static Call of(String path) {
        return of(path, "");
    }

    static Call of(String path, String body) {
        return new Call(path, body, Map.of());
    }

    Call with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Call(path, body, more);
    }
}
