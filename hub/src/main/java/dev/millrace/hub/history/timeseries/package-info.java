/**
 * The time series of Brewblox on the same history: what its services send to {@code
 * brewcast/history}, and the questions that its user interface asks.
 */
@NullMarked
package dev.millrace.hub.history.timeseries;

import org.jspecify.annotations.NullMarked;
