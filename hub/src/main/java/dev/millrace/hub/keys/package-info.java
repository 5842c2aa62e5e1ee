/**
 * What the variables of the rooms' keys may be. Shared, because several rooms write of the same
 * channels, models and ids, and two of them must never mean different things by one name. It knows
 * no room.
 */
@NullMarked
package dev.millrace.hub.keys;

import org.jspecify.annotations.NullMarked;
