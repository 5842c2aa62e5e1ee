package dev.millrace.hub.history.recording;

import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Topic;

import java.util.Optional;

/**
 * What a room announces and history records. Its facts must lie where the series live: with the
 * channel whose values they tell, or with the site for models. Thread-safe.
 */
public interface Recordable {
    /** The feed in which it is told. */
    Topic topic();

    /** The values that a fact tells; empty if it tells of something else. */
    Optional<Observed> read(Fact fact);
}
