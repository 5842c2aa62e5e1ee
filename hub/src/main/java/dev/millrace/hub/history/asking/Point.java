package dev.millrace.hub.history.asking;

/**
 * What is told of a window.
 *
 * @param at when it begins, in ms
 * @param value NaN if there is nothing in it
 */
public record Point(long at, double value) {}
