package dev.millrace.hub.site;

import dev.millrace.hub.ems.Trail;
import dev.millrace.hub.site.sync.Place;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Layout;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What many rooms write beside their own things, in the same commits. Thread-safe. */
public interface Site {
    /** Whoever writes an event says so here too, for live clients: whose queue has grown. */
    Topic EVENTS = Topic.named("site").keeping(Duration.ofDays(1), 1L << 20, 4L << 20);

    /**
     * Tells that something has happened: the newest of its queue, the last of its type, and a
     * message on {@code event:{type}} to whoever listens just now. A queue that somebody has put
     * something else in place of is left out, and the commit goes on.
     *
     * @param owner of the commit
     * @param type such as {@code channel}
     * @param event its members; a time is added
     */
    void event(Commit commit, String owner, String type, Map<String, Object> event, Instant at);

    /**
     * The queues of events that live clients may listen to, by type: what is for everybody who may
     * look, and has no live feed of its own.
     *
     * @param owner in whose place they lie
     */
    Map<String, Cell.Key> eventQueues(String owner);

    /** In whose place the queue is that a fact of {@link #EVENTS} is about. */
    Optional<String> owner(Fact fact);

    /**
     * Puts aside what nobody can use, as an event of type {@code dead_letter}, in the commit that
     * takes it from where it was: nothing is dropped silently.
     *
     * @param queue the key it was found in
     * @param element as it was found; of a large one the beginning is kept
     * @param reason why it cannot be used, in a sentence
     */
    void deadLetter(
            Commit commit, String owner, String queue, String element, String reason, Instant at);

    /**
     * Writes how many there are into the status of the system; never added up, so it cannot drift.
     *
     * @param index of the layout, whose entries are counted
     */
    void size(Commit commit, String owner, Counted counted, Layout<?> layout, String index);

    /** Where it is written down who changed what: as events of the type {@code audit}. */
    Trail trail(Keyspace keyspace, InstantSource clock);

    /** The present version of all configuration. */
    Version version(Keyspace keyspace);

    /**
     * Counts a change of configuration, and remembers what it was: the commit, at the site, is
     * refused if there was another.
     */
    void change(Commit commit, Version from, Change change, Instant at);

    /** An owner in every place where something may lie: one on a single server. */
    List<String> places(Keyspace keyspace);

    /** What the site is like at this moment, for whoever shows its status. */
    Map<String, Object> status(Keyspace keyspace);

    /**
     * Says what is counted how, so that a count that somebody has spoilt is put right again.
     *
     * @param index of the layout, whose entries are counted
     */
    void counts(Counted counted, Layout<?> layout, String index);

    /** A kind of configuration takes part in listing, export, import and rollback. */
    void kind(ConfigurationKind kind);

    /** The kinds that take part, for whoever looks at one of them. */
    List<ConfigurationKind> kinds();

    /** The settings of the whole site, as texts. */
    Map<String, String> settings(Keyspace keyspace);

    /** Keys of a room can be read and written by patterns. */
    void place(Place place);

    /** What the doctor says about the keys that this is written to. Changes nothing. */
    List<String> advice(Keyspace keyspace);

    /** What the status of the system counts. */
    enum Counted {
        TOTAL_CHANNELS,
        ACTIVE_CHANNELS,
        TOTAL_MODELS,
        ACTIVE_ALARMS
    }

    /**
     * What happened to one piece of configuration.
     *
     * @param key of the piece
     * @param before empty if it was not there
     * @param after empty if it is not there any more
     * @param user who did it; empty if nobody says
     */
    record Change(
            String key, Optional<ObjectNode> before, Optional<ObjectNode> after, String user) {}

    /**
     * How often configuration was changed.
     *
     * @param stored as it stands there; empty if nothing does
     */
    record Version(String stored) {
        /** The number of the change that comes next. What is not a number counts as none. */
        public long next() {
            try {
                return Math.max(0, Long.parseLong(stored)) + 1;
            } catch (NumberFormatException e) {
                return 1;
            }
        }
    }
}
