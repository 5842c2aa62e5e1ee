package dev.millrace.hub.telemetry.commands;

/** Why a command has failed, in the words that clients know. */
public enum CommandError {
    /** The device could not be reached; it has not heard of it. */
    DEVICE_OFFLINE,
    /** No answer came in time: the device may have done it. */
    TIMEOUT,
    REJECTED_BY_DEVICE,
    /** The value is not one that the point takes; the device has not heard of it. */
    OUT_OF_RANGE,
    /** It was not its turn in time; the device has not heard of it. */
    EXPIRED,
    /** Somebody has taken it back; the device has not heard of it. */
    CANCELLED,
    /** Who was about to send it has ended: the device may have done it. It is not sent again. */
    WORKER_LOST,
    /** There is no such point to be ordered; the device has not heard of it. */
    UNKNOWN_POINT
}
