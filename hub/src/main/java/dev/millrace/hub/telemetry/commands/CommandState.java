package dev.millrace.hub.telemetry.commands;

import java.util.Locale;
import java.util.Optional;

/** How far a command is: from pending over executing to one of the other two, which never ends. */
public enum CommandState {
    PENDING,
    EXECUTING,
    COMPLETED,
    FAILED;

    /** As it is stored. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it stays so. */
    public boolean isFinal() {
        return this == COMPLETED || this == FAILED;
    }

    static Optional<CommandState> of(String word) {
        for (CommandState each : values()) {
            if (each.word().equals(word)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
