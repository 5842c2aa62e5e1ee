package dev.millrace.hub.pubsub.channels;

/** The names of channels, subscribers and messages: {@code [0-9a-z][0-9a-z_-]{0,62}}. */
public final class MessageNames {
    private static final int LONGEST = 63;

    private MessageNames() {}

    /** Whether this is one; looked at for every request, so no regular expression. */
    public static boolean isValid(String id) {
        int length = id.length();
        if (length == 0 || length > LONGEST || !isLetterOrDigit(id.charAt(0))) {
            return false;
        }
        for (int i = 1; i < length; i++) {
            char letter = id.charAt(i);
            if (!isLetterOrDigit(letter) && letter != '_' && letter != '-') {
                return false;
            }
        }
        return true;
    }

    /**
     * The id that a request names.
     *
     * @param what as clients know it: {@code channelID}
     */
    public static String of(String id, String what) {
        if (!isValid(id)) {
            throw new Refused.Invalid(what).exception();
        }
        return id;
    }

    private static boolean isLetterOrDigit(char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    }
}
