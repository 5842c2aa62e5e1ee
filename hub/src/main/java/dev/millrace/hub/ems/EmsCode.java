package dev.millrace.hub.ems;

/** Everything that the rooms of VoltageEMS refuse, in the words that its clients know. */
public enum EmsCode {
    INVALID_JSON(400),
    INVALID_PARAMETER(400),
    VALIDATION_ERROR(400),
    RESERVED_ID(400),
    MODEL_WITHOUT_MAPPINGS(400),
    UNKNOWN_NAME(400),
    RULE_CYCLE(400),
    INVALID_CONDITION(400),
    INVALID_ACTION(400),
    RANGE_TOO_LARGE(400),
    AUTH_REQUIRED(401),
    INVALID_TOKEN(401),
    TOKEN_EXPIRED(401),
    SESSION_EXPIRED(401),
    PERMISSION_DENIED(403),
    NOT_FOUND(404),
    ALARM_NOT_FOUND(404),
    RULE_NOT_FOUND(404),
    MODEL_NOT_FOUND(404),
    TEMPLATE_NOT_FOUND(404),
    CHANNEL_NOT_FOUND(404),
    POINT_NOT_FOUND(404),
    COMMAND_NOT_FOUND(404),
    ACTION_NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    REQUEST_TIMEOUT(408),
    ALREADY_EXISTS(409),
    TEMPLATE_IN_USE(409),
    CHANNEL_IN_USE(409),
    COMMAND_CONFLICT(409),
    LOCK_NOT_OWNED(409),
    INVALID_STATE(409),
    VERSION_MISMATCH(412),
    PAYLOAD_TOO_LARGE(413),
    UNSUPPORTED_MEDIA_TYPE(415),
    RATE_LIMIT_EXCEEDED(429),
    QUEUE_FULL(429),
    INTERNAL_ERROR(500),
    STORE_TYPE_CONFLICT(500),
    STORE_UNAVAILABLE(503),
    DEVICE_OFFLINE(503),
    SERVICE_UNAVAILABLE(503);

    private final int status;

    EmsCode(int status) {
        this.status = status;
    }

    /** The number that HTTP has for it. */
    public int status() {
        return status;
    }
}
