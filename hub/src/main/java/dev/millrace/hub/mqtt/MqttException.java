package dev.millrace.hub.mqtt;

import java.util.List;

/** Something did not reach the broker, with a sentence that says why. */
public final class MqttException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Outgoing> refused;

    MqttException(String sentence) {
        this(sentence, List.of());
    }

    MqttException(String sentence, List<Outgoing> refused) {
        super(sentence);
        this.refused = refused;
    }

    /**
     * The messages that this broker will never take, because they are too large for it or their
     * topic is nothing to it; the others were acknowledged, and sending again is of no use. Empty
     * for everything that may be better the next time.
     */
    public List<Outgoing> refused() {
        return refused == null ? List.of() : refused;
    }
}
