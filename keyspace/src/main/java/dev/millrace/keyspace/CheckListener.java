package dev.millrace.keyspace;

import java.time.Instant;

/** Hears how a check goes; what somebody does not want to hear may be left out. */
public interface CheckListener {
    /** How far it is, every two seconds. */
    default void progress(CheckProgress progress) {}

    /** An earlier one was cut short, and this one goes on where it was. */
    default void goesOn(Instant began, int percent) {}

    /** An earlier one was cut short, and this one begins anew nevertheless. */
    default void beginsAnew(String why) {}

    /** Another one seems to be at work; in a few seconds it will be clear. */
    default void waits() {}

    /** Its place cannot be kept: if it is cut short, the next one begins anew. */
    default void keepsNoPlace(String why) {}
}
