package dev.millrace.hub.notifications;

/** What became of something that this room was to store. */
sealed interface Accepted {

    record Stored(String id) implements Accepted {}

    /** It was not stored, and why. */
    sealed interface Refused extends Accepted {
        String sentence();

        /** It is not what it has to be. */
        record Invalid(String sentence) implements Refused {}

        /** There is one with this slug or id already. */
        record Taken(String sentence) implements Refused {}

        /** There is none in whose place it could be put. */
        record Absent(String sentence) implements Refused {}
    }
}
