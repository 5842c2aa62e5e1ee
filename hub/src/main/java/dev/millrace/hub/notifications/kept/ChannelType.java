package dev.millrace.hub.notifications.kept;

import tools.jackson.databind.annotation.JsonDeserialize;

/** Over what something is sent. A closed set: each has a sender. */
@JsonDeserialize(using = ChannelType.Reader.class)
public enum ChannelType {
    REST,
    EMAIL,
    MQTT,
    MESSAGE_CHANNEL;

    /** From JSON. */
    static final class Reader extends WordReader<ChannelType> {
        Reader() {
            super(ChannelType.class, "type of a channel");
        }
    }
}
