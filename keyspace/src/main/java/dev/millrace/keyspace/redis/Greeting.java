package dev.millrace.keyspace.redis;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a new connection says first.
 *
 * @param question looks whether this is the right server, and throws if it is not
 * @param commands sent before anything else; one that the server refuses is passed over
 * @param scripts loaded after that
 */
record Greeting(
        Consumer<Wire> question, Collection<byte[][]> commands, Collection<Script> scripts) {
    static final Greeting NONE = new Greeting(wire -> {}, List.of(), List.of());
}
