package dev.millrace.hub.telemetry.bus;

/**
 * Where it is kept what was heard of devices. What is no longer held is not kept. Thread-safe; what
 * cannot be kept is logged there.
 */
public interface Journal {
    /**
     * Stores values that were read, with all that follows from them. Points that were missed keep
     * their values, which are not to be believed.
     */
    void heard(HeldChannel channel, Heard heard, Tally tally);

    /** Nothing is heard of the device. */
    void down(HeldChannel channel, Down down, Tally tally);

    /** How polling goes; written down once in a second at most. */
    void tally(HeldChannel channel, Tally tally);

    /** Nobody polls the channel here any more. */
    void released(int channel);

    /** How a channel is when nothing is heard of its device. */
    enum Down {
        /** There is no connection. */
        OFFLINE,
        /** There is one, and nothing comes of it; or its configuration cannot be. */
        ERROR
    }
}
