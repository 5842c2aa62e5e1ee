package dev.millrace.hub.readings.arriving;

/** How a client says that a body is CBOR; with parameters behind it, it does not. */
public final class Cbor {
    private static final String TYPE = "application/cbor";

    private Cbor() {}

    public static boolean isNamedBy(String contentType) {
        return contentType.equalsIgnoreCase(TYPE);
    }

    /** Where an event is changed, only in small letters. */
    public static boolean isNamedExactlyBy(String contentType) {
        return contentType.equals(TYPE);
    }
}
