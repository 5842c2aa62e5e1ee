/**
 * Rehearsals: what a rule of some kind would have done with the values of the past. What rooms
 * share of it: the span of time, how far it is, what is found and how it is asked for. A rehearsal
 * is calculated in the memory of the hub that was asked, and nothing is stored.
 */
@NullMarked
package dev.millrace.hub.rehearsal;

import org.jspecify.annotations.NullMarked;
