package dev.millrace.hub.notifications.kept;

import tools.jackson.databind.annotation.JsonDeserialize;

import java.util.Locale;

/** How the last attempt of a transmission ended, or what became of it since. */
@JsonDeserialize(using = TransmissionStatus.Reader.class)
public enum TransmissionStatus {
    FAILED,
    SENT,
    ACKNOWLEDGED,
    TRXESCALATED;

    /** From JSON. */
    static final class Reader extends WordReader<TransmissionStatus> {
        Reader() {
            super(TransmissionStatus.class, "status");
        }

        /** Clients write this one in any case. */
        @Override
        String word(String given) {
            return given.toUpperCase(Locale.ROOT);
        }
    }

    /** Whether nothing is left to be sent. */
    public boolean isFinal() {
        return switch (this) {
            case FAILED -> false;
            case SENT, ACKNOWLEDGED, TRXESCALATED -> true;
        };
    }
}
