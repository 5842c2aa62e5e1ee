/**
 * What is stored of events, readings and value descriptors, and every change of it that needs more
 * than one entity. Its keys: {@link dev.millrace.hub.readings.kept.ReadingsLayouts}.
 */
@NullMarked
package dev.millrace.hub.readings.kept;

import org.jspecify.annotations.NullMarked;
