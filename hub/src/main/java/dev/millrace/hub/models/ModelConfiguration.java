package dev.millrace.hub.models;

import org.jspecify.annotations.Nullable;

/** What a model is: the effective configuration, with what its template gave. */
record ModelConfiguration(String id, @Nullable String type, @Nullable String template) {

    /** A model that names no type has that of its template, or its template for one. */
    @Nullable String typeOrTemplate() {
        return type == null || type.isEmpty() ? template : type;
    }
}
