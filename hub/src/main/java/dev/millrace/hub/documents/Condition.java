package dev.millrace.hub.documents;

import dev.millrace.hub.documents.Mistakes.Place;
import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.documents.kept.Revision;
import dev.millrace.hub.http.Request;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * What a writer wants to be true of the document before it is written. Nothing, unless somebody
 * says so: the last write wins.
 */
sealed interface Condition {

    /** Whatever it is. */
    record None() implements Condition {}

    /** There is none yet. */
    record Absent() implements Condition {}

    /** There is one. */
    record Present() implements Condition {}

    /** It has this revision. */
    record Is(String revision) implements Condition {}

    default boolean holds(Optional<Document> now) {
        return switch (this) {
            case None() -> true;
            case Absent() -> now.isEmpty();
            case Present() -> now.isPresent();
            case Is(String revision) ->
                    now.filter(each -> Revision.of(each.json()).toString().equals(revision))
                            .isPresent();
        };
    }

    /** From {@code If-Match} and {@code If-None-Match}. */
    static Condition of(Request request) {
        Optional<String> none = request.header("If-None-Match");
        if (none.isPresent()) {
            if (!none.get().strip().equals("*")) {
                throw new RefusedException(
                        new Refused.BadCondition(
                                "If-None-Match takes * here: write only if there is no document"
                                        + " yet."));
            }
            return new Absent();
        }
        return request.header("If-Match").map(Condition::matching).orElseGet(None::new);
    }

    private static Condition matching(String tag) {
        String plain = tag.strip();
        if (plain.equals("*")) {
            return new Present();
        }
        boolean quoted = plain.length() > 1 && plain.startsWith("\"") && plain.endsWith("\"");
        return new Is(quoted ? plain.substring(1, plain.length() - 1) : plain);
    }

    /** The same, or from a member {@code revision} beside the document; null means none yet. */
    static Condition of(Request request, ObjectNode body) {
        JsonNode revision = body.path("revision");
        if (revision.isMissingNode()) {
            return of(request);
        }
        if (revision.isNull()) {
            return new Absent();
        }
        if (!revision.isString()) {
            throw new Mistakes().notAString(Place.BODY.in("revision"), revision).refused();
        }
        return matching(revision.stringValue());
    }
}
