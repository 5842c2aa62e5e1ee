package dev.millrace.hub.site;

import dev.millrace.hub.ems.Refused;
import dev.millrace.keyspace.pattern.KeyPattern;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One kind of configuration, such as that of channels, in the hands of the room that it belongs to.
 * Whoever changes it says so with {@link Site#change}. Thread-safe.
 */
public interface ConfigurationKind {
    /** As it is called in paths and files: {@code channels}. */
    String word();

    /** Its keys; the id is what comes last. */
    KeyPattern pattern();

    /** Of all that there are, in order. */
    List<String> ids();

    Optional<ObjectNode> get(String id);

    /**
     * Stores one, whether it is there or not.
     *
     * @param expected the version that it must have, if any
     */
    Saved put(String id, ObjectNode document, OptionalLong expected, String user);

    /**
     * Removes one.
     *
     * @param force also while others refer to it
     */
    Saved delete(String id, boolean force, String user);

    /** What would be refused of it, without storing it. */
    Optional<Refused> mistake(String id, ObjectNode document);

    /** What became of it. */
    sealed interface Saved {
        /** It stands as this; after a removal, what was removed. */
        record Done(ObjectNode document, boolean created) implements Saved {}

        record Not(Refused why) implements Saved {}
    }
}
