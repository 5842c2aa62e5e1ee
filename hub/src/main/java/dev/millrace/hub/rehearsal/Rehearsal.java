package dev.millrace.hub.rehearsal;

import tools.jackson.databind.node.ObjectNode;

/** A rule and a span of time, ready to be rehearsed. */
@FunctionalInterface
public interface Rehearsal {
    /** Runs it through; gives what is answered, whole or up to where it was cancelled. */
    ObjectNode run(Course course);
}
