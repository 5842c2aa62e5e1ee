package dev.millrace.hub.fuzz;

import java.util.Locale;

/** What is sent; each kind can be run alone with {@code -Dmillrace.fuzz.kinds=http,mqtt}. */
enum Kind {
    /** Requests that are well-formed, with hostile values in every place. */
    HTTP(0, 4, 60),
    /** What is nearly HTTP. */
    MALFORMED(1, 1, 3),
    /** Packets of MQTT 3.1.1 and 5. */
    MQTT(2, 3, 22),
    /** Handshakes and frames. */
    WEBSOCKET(3, 2, 10),
    /** The first bytes of a conversation, and then nothing. */
    EARLY(4, 2, 5);

    /** So that the same seed means something else for each; it never changes. */
    final int salt;

    /** How many clients send it at the same time. */
    final int clients;

    /** Its part of all that is sent, in percent. */
    final int share;

    Kind(int salt, int clients, int share) {
        this.salt = salt;
        this.clients = clients;
        this.share = share;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
