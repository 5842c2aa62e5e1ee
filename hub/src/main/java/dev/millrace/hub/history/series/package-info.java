/**
 * What history is about: series, their samples, and how both are spelled in keys and members. Rooms
 * that ask history speak in these.
 */
@NullMarked
package dev.millrace.hub.history.series;

import org.jspecify.annotations.NullMarked;
