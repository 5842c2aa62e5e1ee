/**
 * Device channels: their configuration, the live values of their points and the commands sent to
 * them, from the third key description (comsrv). Others may write the same hashes; a value is what
 * stands in Redis, whoever put it there. Way in, so far: {@link
 * dev.millrace.hub.telemetry.kept.TelemetryLayouts}.
 */
@NullMarked
package dev.millrace.hub.telemetry;

import org.jspecify.annotations.NullMarked;
