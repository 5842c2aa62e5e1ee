package dev.millrace.hub.site;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What a configuration carries of its own history: which change it came with, and when. */
final class Stamps {
    static final String VERSION = "_version";
    static final String UPDATED = "_updated_at";

    private Stamps() {}

    static ObjectNode stamped(ObjectNode document, Site.Version from, Instant at) {
        ObjectNode stamped = bare(document);
        stamped.put(VERSION, from.next());
        stamped.put(UPDATED, at.getEpochSecond());
        return stamped;
    }

    static ObjectNode bare(ObjectNode document) {
        ObjectNode bare = document.deepCopy();
        bare.remove(List.of(VERSION, UPDATED));
        return bare;
    }

    /** Nothing would change; what was never counted is counted once. */
    static boolean isSame(ObjectNode stored, ObjectNode wanted) {
        return stored.has(VERSION) && bare(stored).equals(bare(wanted));
    }

    static long version(ObjectNode document) {
        return document.path(VERSION).asLong(0);
    }

    /** Why it is not what somebody expects; empty if it is. */
    static Optional<Refused> stale(Optional<ObjectNode> stored, OptionalLong expected) {
        long version = stored.map(Stamps::version).orElse(0L);
        return expected.isEmpty() || expected.getAsLong() == version
                ? Optional.empty()
                : Optional.of(
                        Refused.of(
                                        EmsCode.VERSION_MISMATCH,
                                        "The configuration has version %d by now."
                                                .formatted(version))
                                .with("version", version));
    }
}
