/**
 * The hub: the process that people start. It reads the settings, opens Redis and runs the commands
 * of the launcher. Rooms live in packages below this one, one each, and do not look into each
 * other.
 */
@NullMarked
package dev.millrace.hub;

import org.jspecify.annotations.NullMarked;
