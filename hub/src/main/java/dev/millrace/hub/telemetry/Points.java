package dev.millrace.hub.telemetry;

import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.feed.Topic;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What the points of device channels are to other rooms. Thread-safe. */
public interface Points {
    /** The feed in which every write is told; {@link Announced} reads its facts. */
    Topic changes();

    /** Lets another room contribute to every write; to be called before anything is started. */
    void contributor(Contributor contributor);

    /**
     * Another room reads these sources, so their channels are in use; said before anything is
     * started.
     */
    void user(Supplier<Set<String>> sources);

    /** The value as it is stored; empty if there is none, or if the source is no channel's. */
    Optional<Present> present(String source, String field);

    /**
     * The same of several fields of one source, in one trip; those that are not there are left out.
     */
    Map<String, Present> presentOf(String source, Set<String> fields);

    /**
     * Writes values of a channel as if a client had sent them.
     *
     * @param source T or S of a channel
     * @return why it cannot be; empty if it is done
     */
    Optional<String> write(String source, Map<String, String> values);

    /**
     * The same.
     *
     * @param origin what has led to it, which the fact tells
     */
    Optional<String> write(String source, Map<String, String> values, Origin origin);

    /**
     * Looks at the present values of these fields now, as if they had been written: a rule was
     * made, changed or enabled. Does not wait.
     */
    void lookAt(String source, Set<String> fields);

    /** What the channel's configuration says about a point. */
    Optional<About> about(String source, String field);

    /** What a channel is called. */
    Optional<String> channelName(int channel);

    /**
     * A stored value.
     *
     * @param at when it was measured; empty if whoever wrote it did not say
     */
    record Present(Value value, Optional<Instant> at) {}

    /**
     * A point, for people.
     *
     * @param name empty if it has none
     * @param unit empty if it has none
     */
    record About(String name, String unit) {}
}
