package dev.millrace.hub.settings;

import java.util.function.Function;

/**
 * The settings of one feature: which there are, and how they become its record.
 *
 * @param keys in the order in which people read them
 * @param reader notes what is wrong in the values and goes on with defaults, so that a person hears
 *     of all mistakes at once
 */
public record Block<S>(Keys.Group keys, Function<Values, S> reader) {}
