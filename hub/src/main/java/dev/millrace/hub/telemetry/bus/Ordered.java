package dev.millrace.hub.telemetry.bus;

import java.util.OptionalDouble;

/** What became of an order to a device. */
public sealed interface Ordered {
    /**
     * The device has done it.
     *
     * @param actual what the point is now, as people read it, where the protocol can read it back
     */
    record Done(OptionalDouble actual) implements Ordered {}

    /**
     * The device has answered that it does not do it.
     *
     * @param code of the protocol, such as {@code ILLEGAL_DATA_ADDRESS}
     */
    record Refused(String code, String text) implements Ordered {}

    /** The device has certainly not heard of it. */
    record NotSent(Cause cause, String text) implements Ordered {}

    /** It was sent, and no answer has come: it is done or not. */
    record Unknown(String text) implements Ordered {}

    /** Why an order was not sent. */
    enum Cause {
        /** There is no connection to the device, or this hub does not hold the channel any more. */
        OFFLINE,
        /** The configuration has no such point, or does not say where the device has it. */
        UNKNOWN_POINT,
        /** The value does not fit where the device keeps it. */
        OUT_OF_RANGE,
        /** Its time was over before it was its turn. */
        LATE
    }
}
