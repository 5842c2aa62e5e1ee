/**
 * What the two rooms that speak the first version of EdgeX's API share: how its clients write JSON,
 * what answers and errors they expect. Way in: {@link dev.millrace.hub.edgex.EdgexJson}, {@link
 * dev.millrace.hub.edgex.EdgexAnswers}.
 */
@NullMarked
package dev.millrace.hub.edgex;

import org.jspecify.annotations.NullMarked;
