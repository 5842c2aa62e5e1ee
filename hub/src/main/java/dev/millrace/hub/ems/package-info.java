/**
 * What the rooms that speak the APIs of VoltageEMS share: the envelope of its answers and its
 * codes.
 */
@NullMarked
package dev.millrace.hub.ems;

import org.jspecify.annotations.NullMarked;
