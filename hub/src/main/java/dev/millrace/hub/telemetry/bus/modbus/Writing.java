package dev.millrace.hub.telemetry.bus.modbus;

import com.digitalpetri.modbus.pdu.MaskWriteRegisterRequest;
import com.digitalpetri.modbus.pdu.ModbusRequestPdu;
import com.digitalpetri.modbus.pdu.WriteMultipleCoilsRequest;
import com.digitalpetri.modbus.pdu.WriteMultipleRegistersRequest;
import com.digitalpetri.modbus.pdu.WriteSingleCoilRequest;
import com.digitalpetri.modbus.pdu.WriteSingleRegisterRequest;

import java.util.Optional;

/** The requests by which a point of a device is changed. */
final class Writing {
    private Writing() {}

    /** The bits of a raw value at its spot; empty if it does not fit there. */
    static Optional<Long> bits(Spot spot, double raw) {
        if (!spot.isPartOfRegister()) {
            return spot.encoding().bits(raw);
        }
        double whole = Math.rint(raw);
        boolean fits = whole >= 0 && whole <= Math.scalb(1.0, spot.bits()) - 1;
        return fits ? Optional.of((long) whole) : Optional.empty();
    }

    /** Whether it is written with all bits around it, as they are. */
    static boolean needsItsNeighbours(Spot spot) {
        return spot.isPartOfRegister() && !spot.mask();
    }

    static ModbusRequestPdu read(Spot spot) {
        return spot.table().read(spot.address(), spot.count());
    }

    /**
     * Writes it.
     *
     * @param around the registers as they are, if it needs its neighbours
     */
    static ModbusRequestPdu request(Spot spot, long bits, byte[] around) {
        if (spot.table() == Table.COILS) {
            return spot.many()
                    ? new WriteMultipleCoilsRequest(spot.address(), 1, new byte[] {(byte) bits})
                    : new WriteSingleCoilRequest(spot.address(), bits != 0);
        }
        if (spot.mask()) {
            long mask = Spot.mask(spot.bits()) << spot.bit();
            long value = bits << spot.bit();
            if (spot.encoding().swapBytes()) {
                mask = Short.reverseBytes((short) mask);
                value = Short.reverseBytes((short) value);
            }
            return new MaskWriteRegisterRequest(
                    spot.address(), (int) (~mask & 0xFFFF), (int) (value & 0xFFFF));
        }
        long all = bits;
        if (spot.isPartOfRegister()) {
            long mask = Spot.mask(spot.bits()) << spot.bit();
            all = (spot.encoding().bits(around, 0) & ~mask) | ((bits << spot.bit()) & mask);
        }
        byte[] registers = spot.encoding().registers(all);
        if (registers.length == Short.BYTES && !spot.many()) {
            return new WriteSingleRegisterRequest(
                    spot.address(), ((registers[0] & 0xFF) << Byte.SIZE) | (registers[1] & 0xFF));
        }
        return new WriteMultipleRegistersRequest(
                spot.address(), registers.length / Short.BYTES, registers);
    }
}
