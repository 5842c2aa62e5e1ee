package dev.millrace.hub.telemetry.bus.virtual;

import java.util.Set;

/** A part of a virtual plant, which changes with time and with what is ordered. */
interface Part {
    /** Goes on by so many seconds, which are few. */
    void advance(double seconds, double by);

    /** What can be read of it. */
    Set<String> outputs();

    /** What can be ordered of it. */
    Set<String> inputs();

    /** One of the outputs. */
    double output(String name);

    /** Somebody has ordered one of the inputs. */
    void input(String name, double value);
}
