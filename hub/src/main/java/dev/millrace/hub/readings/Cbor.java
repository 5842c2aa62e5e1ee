package dev.millrace.hub.readings;

/** How a client says that a body is CBOR; with parameters behind it, it does not. */
final class Cbor {
    private static final String TYPE = "application/cbor";

    private Cbor() {}

    static boolean isNamedBy(String contentType) {
        return contentType.equalsIgnoreCase(TYPE);
    }

    /** Where an event is changed, only in small letters. */
    static boolean isNamedExactlyBy(String contentType) {
        return contentType.equals(TYPE);
    }
}
