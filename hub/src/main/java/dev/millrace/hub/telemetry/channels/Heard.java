package dev.millrace.hub.telemetry.channels;

import dev.millrace.hub.telemetry.kept.ChannelStatus;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;

import java.time.Instant;

/** Whether channels are heard of, to those who change their configuration. Thread-safe. */
public interface Heard {
    /**
     * Adds to a commit that the channel is offline.
     *
     * @param before its status; the commit is refused if it has changed since
     */
    void silent(int channel, Commit commit, Stored<ChannelStatus> before, Instant at);

    /** What is remembered of the channel may be true no more. */
    void forget(int channel);
}
