package dev.millrace.hub.readings.kept;

/** Uuids that clients send. */
public final class Uuids {
    private Uuids() {}

    /** Whether it is a UUID in its usual form of 36 characters. */
    public static boolean isUuid(String id) {
        if (id.length() != 36) {
            return false;
        }
        for (int i = 0; i < 36; i++) {
            char c = id.charAt(i);
            boolean fits =
                    (i == 8 || i == 13 || i == 18 || i == 23)
                            ? c == '-'
                            : (c >= '0' && c <= '9')
                                    || (c >= 'a' && c <= 'f')
                                    || (c >= 'A' && c <= 'F');
            if (!fits) {
                return false;
            }
        }
        return true;
    }
}
