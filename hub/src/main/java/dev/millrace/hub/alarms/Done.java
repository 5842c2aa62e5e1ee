package dev.millrace.hub.alarms;

import dev.millrace.hub.ems.Refused;

/** What a service of this room gives: what was asked for, or why not. */
sealed interface Done<T> {
    record With<T>(T value) implements Done<T> {}

    record Not<T>(Refused why) implements Done<T> {}

    /** The value; what is refused is thrown, for those who speak to clients. */
    default T orRefuse() {
        return switch (this) {
            case With<T>(T value) -> value;
            case Not<T>(Refused why) -> throw why.exception();
        };
    }
}
