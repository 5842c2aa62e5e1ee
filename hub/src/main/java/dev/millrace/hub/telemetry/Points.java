package dev.millrace.hub.telemetry;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What the points of device channels are to other rooms. Thread-safe. */
public interface Points {
    /** Lets another room contribute to every write; to be called before anything is started. */
    void contributor(Contributor contributor);

    /** The value as it is stored; empty if there is none, or if the source is no channel's. */
    Optional<Present> present(String source, String field);

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
