package dev.millrace.hub.telemetry.bus.modbus;

import com.digitalpetri.modbus.pdu.ModbusRequestPdu;
import com.digitalpetri.modbus.pdu.ReadCoilsRequest;
import com.digitalpetri.modbus.pdu.ReadDiscreteInputsRequest;
import com.digitalpetri.modbus.pdu.ReadHoldingRegistersRequest;
import com.digitalpetri.modbus.pdu.ReadInputRegistersRequest;

/** The four kinds of things that a device has. */
enum Table {
    COILS,
    DISCRETE_INPUTS,
    HOLDING_REGISTERS,
    INPUT_REGISTERS;

    private static final int MOST_BITS = 2000;
    private static final int MOST_REGISTERS = 125;

    /** Whether each of them is one bit; else it is 16. */
    boolean isBits() {
        return this == COILS || this == DISCRETE_INPUTS;
    }

    boolean isWritable() {
        return this == COILS || this == HOLDING_REGISTERS;
    }

    /** How many of them one answer can hold. */
    int most() {
        return isBits() ? MOST_BITS : MOST_REGISTERS;
    }

    /** How many bytes the answer has for so many of them. */
    int bytes(int count) {
        return isBits() ? (count + Byte.SIZE - 1) / Byte.SIZE : count * Short.BYTES;
    }

    ModbusRequestPdu read(int address, int count) {
        return switch (this) {
            case COILS -> new ReadCoilsRequest(address, count);
            case DISCRETE_INPUTS -> new ReadDiscreteInputsRequest(address, count);
            case HOLDING_REGISTERS -> new ReadHoldingRegistersRequest(address, count);
            case INPUT_REGISTERS -> new ReadInputRegistersRequest(address, count);
        };
    }
}
