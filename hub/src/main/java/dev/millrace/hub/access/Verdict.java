package dev.millrace.hub.access;

/** What is known of a token text. */
sealed interface Verdict {

    /** It is good. */
    record Good(Caller caller) implements Verdict {}

    /** It was good once. */
    record Expired(Token token) implements Verdict {}

    /** It cannot be one of ours: mistyped, or something else. */
    record Malformed() implements Verdict {}

    /** There is such a token, with another secret. */
    record Wrong(String id) implements Verdict {}

    /** When we last looked there was no such token; a look at Redis tells whether there is now. */
    record Absent(String id) implements Verdict {}

    /** We have not been able to look for too long. */
    record Unavailable() implements Verdict {}
}
