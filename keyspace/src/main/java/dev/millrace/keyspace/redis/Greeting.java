package dev.millrace.keyspace.redis;

import java.util.Collection;
import java.util.List;

/**
 * What a new connection says first.
 *
 * @param commands sent before anything else; one that the server refuses is passed over
 * @param scripts loaded after that
 */
record Greeting(Collection<byte[][]> commands, Collection<Script> scripts) {
    static final Greeting NONE = new Greeting(List.of(), List.of());
}
