/**
 * Events and readings of devices, and the value descriptors that explain them. They come from the
 * first key description (EdgeX core data) and keep its keys, scores and members. Way in: {@link
 * dev.millrace.hub.readings.Readings}; its keys: {@link
 * dev.millrace.hub.readings.kept.ReadingsLayouts}.
 */
@NullMarked
package dev.millrace.hub.readings;

import org.jspecify.annotations.NullMarked;
