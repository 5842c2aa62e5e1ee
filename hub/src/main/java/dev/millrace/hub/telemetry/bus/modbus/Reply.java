package dev.millrace.hub.telemetry.bus.modbus;

import com.digitalpetri.modbus.ExceptionCode;
import com.digitalpetri.modbus.pdu.ModbusPdu;

/** What became of a request. */
sealed interface Reply {
    /** The answer to it. */
    record Answer(ModbusPdu pdu) implements Reply {}

    /** The device says that it cannot. */
    record No(int number) implements Reply {
        /** Its name in the protocol. */
        String code() {
            return ExceptionCode.from(number)
                    .map(Enum::name)
                    .orElseGet(() -> "EXCEPTION_" + number);
        }

        boolean is(ExceptionCode code) {
            return number == code.getCode();
        }
    }

    /** It was sent, and nothing came in time. The connection can still be used. */
    record Silence() implements Reply {}

    /**
     * The connection is of no use any more.
     *
     * @param sent whether any of the request may have reached the device
     */
    record Broken(String why, boolean sent) implements Reply {}
}
