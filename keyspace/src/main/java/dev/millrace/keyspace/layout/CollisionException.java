package dev.millrace.keyspace.layout;

import java.util.List;

/** Declarations that could share a key; the message lists all of them. */
public final class CollisionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    CollisionException(List<String> problems) {
        super("These keys could collide:\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
