/** Roll-ups are made as hours end, and made again where samples came late. */
@NullMarked
package dev.millrace.hub.history.rollups;

import org.jspecify.annotations.NullMarked;
