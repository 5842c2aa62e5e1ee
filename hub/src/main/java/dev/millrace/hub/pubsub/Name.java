package dev.millrace.hub.pubsub;

/** The one rule for the ids of channels, subscribers and messages. */
final class Name {
    private static final int LONGEST = 63;

    private Name() {}

    static boolean isValid(String id) {
        if (id.isEmpty() || id.length() > LONGEST || !alphanumeric(id.charAt(0))) {
            return false;
        }
        for (int i = 1; i < id.length(); i++) {
            char letter = id.charAt(i);
            if (!alphanumeric(letter) && letter != '_' && letter != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean alphanumeric(char letter) {
        return letter >= 'a' && letter <= 'z' || letter >= '0' && letter <= '9';
    }

    /**
     * The id that a request names.
     *
     * @param what as clients know it: {@code channelID}
     */
    static String of(String id, String what) {
        if (!isValid(id)) {
            throw Refused.invalid(what);
        }
        return id;
    }
}
