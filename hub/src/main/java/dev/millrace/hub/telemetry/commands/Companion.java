package dev.millrace.hub.telemetry.commands;

import dev.millrace.keyspace.commit.Commit;

/**
 * What another room writes together with a step of a command, in the same commit: that the action
 * of a model waits, runs, has ended. In a cluster only what lives with the channel can be in it;
 * the rest follows the feed {@code commands}. Thread-safe; called briefly, again for a commit that
 * has to be tried again, and left out if a key of it holds a wrong type: a command does not wait
 * for that.
 */
public interface Companion {
    /**
     * Adds to the commit of a step.
     *
     * @param after the command as it is once this is done: pending when it was given, then
     *     executing, then as it ended
     */
    void step(Command after, Commit commit);
}
