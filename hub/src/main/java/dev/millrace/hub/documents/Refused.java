package dev.millrace.hub.documents;

import dev.millrace.hub.documents.kept.Revision;

import java.util.List;
import java.util.Optional;

/** Why this room does not do what somebody wants; how clients are told is another matter. */
sealed interface Refused {

    /** What is wrong, for a person. */
    String sentence();

    /** Members of the body are not what they have to be; all of them are told together. */
    record Invalid(List<Mistakes.Mistake> mistakes) implements Refused {
        public Invalid {
            mistakes = List.copyOf(mistakes);
        }

        @Override
        public String sentence() {
            return mistakes.getFirst().message();
        }
    }

    /** The body is nothing that a parser takes. */
    record Unreadable() implements Refused {
        @Override
        public String sentence() {
            return "There was an error parsing the body";
        }
    }

    /** The condition of a write is not one that we know. */
    record BadCondition(String sentence) implements Refused {}

    record TooLarge(String sentence) implements Refused {}

    /** The caller may not write there. */
    record Forbidden(String sentence) implements Refused {}

    /** What is to be changed is not there. */
    record Absent(String sentence) implements Refused {}

    /** Something is stored there that is not a document. */
    record NotADocument(String sentence) implements Refused {}

    /**
     * The condition of a write does not hold.
     *
     * @param now which content the document has instead; empty if there is none
     */
    record Overtaken(String sentence, Optional<Revision> now) implements Refused {}
}
