/**
 * Devices that speak Modbus TCP. Messages are put together and taken apart by a library; the
 * conversation is here, on a plain socket, one question at a time, so that it is known at every
 * moment what has been sent. Way in: {@link dev.millrace.hub.telemetry.bus.modbus.ModbusProtocol}.
 */
@NullMarked
package dev.millrace.hub.telemetry.bus.modbus;

import org.jspecify.annotations.NullMarked;
