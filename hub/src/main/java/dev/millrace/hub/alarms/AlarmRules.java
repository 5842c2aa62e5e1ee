package dev.millrace.hub.alarms;

import dev.millrace.hub.ems.Refused;
import dev.millrace.keyspace.commit.Commit;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/**
 * Alarm rules that belong to something else and come and go with it, in its commit. That commit is
 * at the home of their source. Thread-safe.
 */
public interface AlarmRules {
    /** What is wrong with a rule; empty if nothing is. */
    Optional<Refused> mistake(String id, ObjectNode rule);

    /** Stores a rule with the commit, whether it is there or not. */
    void put(Commit commit, String id, ObjectNode rule, String user);

    /** Removes a rule with the commit, if there is one. */
    void remove(Commit commit, String id, String user);

    /** Ids of all rules that watch a source now. */
    List<String> of(String source);

    /** The commit was done: what watches the source now is looked at. */
    void changed(String source);
}
