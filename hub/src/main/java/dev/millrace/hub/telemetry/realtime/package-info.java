/**
 * Live values, alarms and events for clients of VoltageEMS, by WebSocket at {@code /ws} and {@code
 * /ws/v1/realtime}. Changes come from feeds: of points in {@link
 * dev.millrace.hub.telemetry.realtime.Watch}, of what is listed with numbers in {@link
 * dev.millrace.hub.telemetry.realtime.LogTail}. Way in: {@link
 * dev.millrace.hub.telemetry.realtime.Realtime}.
 */
@NullMarked
package dev.millrace.hub.telemetry.realtime;

import org.jspecify.annotations.NullMarked;
