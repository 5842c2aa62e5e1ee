/**
 * Devices: what a protocol is, and who talks to which device when. Knows configurations of channels
 * and no keys of values; what it hears goes to a {@link dev.millrace.hub.telemetry.bus.Journal}.
 * Way in: {@link dev.millrace.hub.telemetry.bus.Protocol}.
 */
@NullMarked
package dev.millrace.hub.telemetry.bus;

import org.jspecify.annotations.NullMarked;
