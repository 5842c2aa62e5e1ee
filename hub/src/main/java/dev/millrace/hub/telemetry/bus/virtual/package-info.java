/**
 * Devices that do not exist: they make plausible signals, take orders, and are away now and then.
 * The same seed gives the same signals. Way in: {@link
 * dev.millrace.hub.telemetry.bus.virtual.VirtualProtocol}.
 */
@NullMarked
package dev.millrace.hub.telemetry.bus.virtual;

import org.jspecify.annotations.NullMarked;
