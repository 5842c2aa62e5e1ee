/**
 * Work in the background that goes on by itself: a {@link dev.millrace.hub.work.Duty} is done by
 * one hub of a site at a time, {@link dev.millrace.hub.work.Retention} keeps what grows within its
 * limits. Rooms use both with what is theirs.
 */
@NullMarked
package dev.millrace.hub.work;

import org.jspecify.annotations.NullMarked;
