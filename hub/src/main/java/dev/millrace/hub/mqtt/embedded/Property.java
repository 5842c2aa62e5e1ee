package dev.millrace.hub.mqtt.embedded;

/** The properties of MQTT 5, with their numbers. */
enum Property {
    PAYLOAD_FORMAT_INDICATOR(0x01),
    PUBLICATION_EXPIRY_INTERVAL(0x02),
    CONTENT_TYPE(0x03),
    RESPONSE_TOPIC(0x08),
    CORRELATION_DATA(0x09),
    SUBSCRIPTION_IDENTIFIER(0x0B),
    SESSION_EXPIRY_INTERVAL(0x11),
    AUTHENTICATION_METHOD(0x15),
    AUTHENTICATION_DATA(0x16),
    REQUEST_PROBLEM_INFORMATION(0x17),
    WILL_DELAY_INTERVAL(0x18),
    REQUEST_RESPONSE_INFORMATION(0x19),
    REASON_STRING(0x1F),
    RECEIVE_MAXIMUM(0x21),
    TOPIC_ALIAS_MAXIMUM(0x22),
    TOPIC_ALIAS(0x23),
    USER_PROPERTY(0x26),
    MAXIMUM_PACKET_SIZE(0x27),
    /** One that only servers send, or nobody. */
    OTHER(-1);

    private final int number;

    Property(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static Property of(int number) {
        for (Property each : values()) {
            if (each.number == number) {
                return each;
            }
        }
        return OTHER;
    }
}
