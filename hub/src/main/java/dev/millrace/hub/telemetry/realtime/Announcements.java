package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.access.Door;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Cell;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a room tells live clients beside values: things that happen, each of which is in a list with
 * its number before it is told. The feed says that there is something new, the list says what; so a
 * client that comes back is told what it missed, as long as the list has it.
 */
public interface Announcements {
    /** As clients ask for it: {@code alarm}. */
    String source();

    /** Who may listen. */
    Door door();

    /** What a message is called, unless the announcement has a name of its own. */
    String messageType();

    /** The feed whose facts tell that the lists have grown. */
    Topic topic();

    /** With whom the list lives that a fact is about. */
    Optional<String> home(Fact fact);

    /** One owner for each place in which there may be lists. */
    List<String> homes();

    /**
     * The lists of this home, newest first, by the names under which clients tell them apart; each
     * has numbers of its own. The name of an only one is empty.
     */
    Map<String, Cell.Key> logs(String home);

    /**
     * An element of a list, for clients; empty if they are not to hear of it.
     *
     * @param log the name of the list
     */
    Optional<Announcement> read(String log, ObjectNode listed);

    /**
     * What holds at present, for a client that begins to listen.
     *
     * @param ids of what it wants to hear; empty for everything
     */
    List<ObjectNode> present(Collection<String> ids);

    /**
     * Whether what holds at present is told by messages like those that follow; else it is in the
     * answer, as {@code active}.
     */
    default boolean presentByMessages() {
        return false;
    }
}
