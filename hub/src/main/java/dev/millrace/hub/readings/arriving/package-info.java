/**
 * What devices send: events and readings as they arrive, read from JSON or CBOR, and what becomes
 * of them: they are taken, or refused for a reason ({@link
 * dev.millrace.hub.readings.arriving.Refused}).
 */
@NullMarked
package dev.millrace.hub.readings.arriving;

import org.jspecify.annotations.NullMarked;
