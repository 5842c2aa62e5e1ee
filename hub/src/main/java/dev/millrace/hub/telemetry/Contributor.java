package dev.millrace.hub.telemetry;

import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.redis.outcome.Outcome;

import java.util.List;
import java.util.Set;

/** What another room adds to the commit of a write of values. Thread-safe. */
public interface Contributor {
    /**
     * Adds checks and writes to the commit. Called under the channel's lock, in the order in which
     * the commits are sent; may load its cache, which is rare.
     */
    Contribution contribute(Written written, Commit commit);

    /**
     * Whether {@link #contribute} for this source would not wait for anything just now; where it
     * might, it is called on a thread that may.
     */
    default boolean isPrompt(String source) {
        return false;
    }

    /** Whether it knows already what it watches; until then it may watch anything. */
    default boolean isReady() {
        return true;
    }

    /** The fields of this source that it wants to hear of, whoever writes them. */
    Set<String> watched(String source);

    /** All sources of which it watches a field. */
    Set<String> sources();

    /** What one write leads to. */
    interface Contribution {
        /** Adds nothing. */
        Contribution NONE =
                new Contribution() {
                    @Override
                    public List<String> triggered() {
                        return List.of();
                    }

                    @Override
                    public List<String> cleared() {
                        return List.of();
                    }

                    @Override
                    public void ended(Outcome<Long> outcome) {}
                };

        /** Ids of the alarm rules that go off with it. */
        List<String> triggered();

        /** Ids of the alarm rules whose alarm ends with it. */
        List<String> cleared();

        /**
         * How the commit ended. Called in the order of the commits, briefly; after a conflict the
         * whole write is tried again with a new contribution.
         */
        void ended(Outcome<Long> outcome);
    }
}
