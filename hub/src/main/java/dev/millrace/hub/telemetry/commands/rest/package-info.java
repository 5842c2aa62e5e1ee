/** Commands over HTTP. */
@NullMarked
package dev.millrace.hub.telemetry.commands.rest;

import org.jspecify.annotations.NullMarked;
