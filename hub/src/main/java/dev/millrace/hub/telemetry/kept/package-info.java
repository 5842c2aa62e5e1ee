/**
 * Values and configurations of device channels as they are sent and stored; knows no other room and
 * no Redis. Way in: {@link dev.millrace.hub.telemetry.kept.ValuesReader}.
 */
@NullMarked
package dev.millrace.hub.telemetry.kept;

import org.jspecify.annotations.NullMarked;
