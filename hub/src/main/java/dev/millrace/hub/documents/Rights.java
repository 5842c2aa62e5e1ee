package dev.millrace.hub.documents;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Request;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which documents a caller may read or write. A token that is limited to namespaces sees those and
 * no others: what it may not read is not there for it. A write outside is refused with a sentence.
 *
 * <p>A key can be split into namespace and id in several ways; what counts is the longest namespace
 * it can have, so that none of them opens a way around.
 */
record Rights(Caller caller, Role role, boolean everywhere) {
    static final String ROOM = "documents";

    private static final int NAMED = 5;

    static Rights toRead(Request request) {
        return of(request.caller(), Role.VIEWER);
    }

    static Rights toWrite(Request request) {
        return of(request.caller(), Role.OPERATOR);
    }

    private static Rights of(Caller caller, Role role) {
        return new Rights(caller, role, caller.may(role, ROOM));
    }

    boolean cover(String key) {
        return everywhere || caller.mayUse(role, ROOM, namespace(key));
    }

    private static String namespace(String key) {
        return key.substring(0, Math.max(0, key.lastIndexOf(':')));
    }

    /** Refuses if one of the keys is outside. */
    void mustCover(Collection<String> keys) {
        if (everywhere) {
            return;
        }
        List<String> outside = keys.stream().filter(key -> !cover(key)).distinct().toList();
        if (!outside.isEmpty()) {
            throw new RefusedException(
                    new Refused.Forbidden(
                            "The token %s may not write %s%s; ask an admin for one that may."
                                    .formatted(
                                            caller.name(),
                                            outside.stream()
                                                    .limit(NAMED)
                                                    .collect(Collectors.joining(", ")),
                                            outside.size() > NAMED ? " and others" : "")));
        }
    }
}
