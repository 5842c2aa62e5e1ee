/**
 * Orders to devices: taken from whoever may give them, sent at most once, and truthfully told what
 * became of each. What happens to a command is in {@link
 * dev.millrace.hub.telemetry.commands.CommandWrites}, when in {@link
 * dev.millrace.hub.telemetry.commands.Worker}. Way in for other rooms: {@link
 * dev.millrace.hub.telemetry.commands.Commands}.
 */
@NullMarked
package dev.millrace.hub.telemetry.commands;

import org.jspecify.annotations.NullMarked;
