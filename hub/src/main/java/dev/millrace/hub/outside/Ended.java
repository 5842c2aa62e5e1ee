package dev.millrace.hub.outside;

import java.net.ConnectException;
import java.net.InetAddress;

/** How a call ended. */
public sealed interface Ended {
    /**
     * An answer.
     *
     * @param body empty if it was not wanted
     */
    record Answered(int status, byte[] body) implements Ended {}

    /** An answer that redirects, and cannot be followed. */
    record Misled(int status, String sentence) implements Ended {}

    /** The time was over. */
    record Late() implements Ended {}

    /** There is no machine of this name. */
    record NobodyThere(String host) implements Ended {}

    /** This address is out of bounds. */
    record Denied(InetAddress address) implements Ended {}

    /** It cannot be said in HTTP; the reason may quote a header, which may hold a secret. */
    record Impossible(String reason) implements Ended {}

    /** It was not reached, or gave no answer that can be understood. */
    record Failed(Throwable why) implements Ended {
        /**
         * In words. Some failures of the JDK have none, and the name of a class says nothing to a
         * person.
         */
        public String sentence() {
            if (why instanceof ConnectException) {
                return "It was not reached.";
            }
            String message = why.getMessage();
            return message == null || message.isEmpty()
                    ? "It was not reached, or gave no answer."
                    : "It was not reached, or gave no answer: " + message;
        }
    }
}
