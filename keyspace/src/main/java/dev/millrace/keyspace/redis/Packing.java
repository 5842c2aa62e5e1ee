package dev.millrace.keyspace.redis;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Another form of a merged call, which is cheaper and cannot always be carried out. Its script does
 * everything or nothing: where it answers null nothing was done, and the requests are sent again in
 * their usual form, before anything else of their order.
 */
public interface Packing {
    /** One call for all of these, answered by a list, one item for each; null if there is none. */
    @Nullable Call of(List<Request> members);

    /** A script and what it is called with. */
    record Call(Script script, Frame keys, Frame args) {}
}
