package dev.millrace.hub.access;

/**
 * Who did something, for the audit.
 *
 * @param who the {@link Caller}'s name, or who sat at the command line
 * @param from the address, or {@code command line}
 */
public record Actor(String who, String from) {}
