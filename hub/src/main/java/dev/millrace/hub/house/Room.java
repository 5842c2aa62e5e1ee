package dev.millrace.hub.house;

import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.settings.Block;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;

import java.util.List;
import java.util.Optional;

/**
 * A room of the hub: all there is about one kind of thing. What it is can be asked at any time; it
 * is started once, when the house stands, and only then has routes. Adding a room is one line in
 * {@code Rooms}: nothing else in the hub knows any of them.
 */
public interface Room {
    /** One word: of its settings, of the scopes of tokens, of its figures. */
    String name();

    /** What is kept there, in a sentence. */
    String about();

    /** Every key that it writes. */
    List<Declaration> declarations();

    default Optional<Block<?>> settings() {
        return Optional.empty();
    }

    /** What live clients may listen to; the readers of these feeds are watched. */
    default List<LiveFeed> feeds() {
        return List.of();
    }

    /** Takes the paths whose clients expect errors and habits of a system of their own. */
    default void claim(Owners owners, Chosen settings) {}

    /** What somebody should hear about the settings, though they are right. */
    default List<String> remarks(Chosen settings) {
        return List.of();
    }

    /** What the doctor says about the data of this room. Changes nothing. */
    default List<String> advice(Keyspace keyspace) {
        return List.of();
    }

    /** Opens it; what was left to do is done from now on. */
    void start(House house);

    /** What it answers, once it is started. */
    List<Route> routes();

    /** What an operator should look at now; none of it keeps the hub from working. */
    default List<String> warnings() {
        return List.of();
    }

    /** The hub is about to stop: whoever waits for something here is let go. */
    default void letGo() {}

    /** Ends all that {@link #start} began; nothing acknowledged is lost by it. */
    void stop();
}
