package dev.millrace.hub.telemetry;

/**
 * A value of a point.
 *
 * @param field of its source: the number of the point
 * @param text as it is stored
 * @param number what the text says; NaN if it is not a number
 */
public record Value(String field, String text, double number, Quality quality) {}
