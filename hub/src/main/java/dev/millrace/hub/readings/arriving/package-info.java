/**
 * What devices send: events and readings as they arrive, read from JSON or CBOR.
 */
@NullMarked
package dev.millrace.hub.readings.arriving;

import org.jspecify.annotations.NullMarked;
