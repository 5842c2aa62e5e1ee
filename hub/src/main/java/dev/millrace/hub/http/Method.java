package dev.millrace.hub.http;

import java.util.Optional;

/** The methods that routes may have. */
public enum Method {
    GET,
    HEAD,
    POST,
    PUT,
    PATCH,
    DELETE,
    OPTIONS;

    private static final Method[] ALL = values();

    /** The method of this name; methods are spelled in capitals, and there are others than ours. */
    public static Optional<Method> of(String name) {
        for (Method method : ALL) {
            if (method.name().equals(name)) {
                return Optional.of(method);
            }
        }
        return Optional.empty();
    }

    /** Whether it changes nothing, so that a page of another site may send it. */
    public boolean safe() {
        return this == GET || this == HEAD || this == OPTIONS;
    }
}
