package dev.millrace.hub.http;

import dev.millrace.hub.access.Door;

/** The decision that every route has: who may come in. */
public sealed interface Guard {

    /** Anybody, in every mode: nothing there that needs protection. */
    record Anyone() implements Guard {}

    /** Whom this door lets in. */
    record Needs(Door door) implements Guard {}

    /** The handler decides, in every mode, as the clients of that API expect. */
    record OwnCheck(String how) implements Guard {}
}
