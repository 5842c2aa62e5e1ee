package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.access.Actor;

import java.util.List;
import java.util.Optional;

/**
 * Orders to devices. One that was accepted is recorded and sent at most once, whatever ends
 * meanwhile; {@link #find} says what became of it, and the feed {@code commands} tells each step.
 * All of them throw a {@code RedisException} while Redis cannot be used. Thread-safe.
 */
public interface Commands {
    /** Gives an order. */
    Submitted submit(Order order);

    /** The command with this id, for a day after its end. */
    Optional<Command> find(String id);

    /** The same where the channel is known. */
    Optional<Command> find(int channel, String id);

    /** The newest commands of a channel first, as far as they are still recorded. */
    List<Command> latest(int channel, int most);

    /** Takes a command back that has not been sent yet. */
    Cancelled cancel(String id, Actor by);

    /** From now on, this is told of every step. Said before the room is started. */
    void companion(Companion companion);
}
