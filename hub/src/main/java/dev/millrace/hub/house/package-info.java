/** What a room is, and what it is given. Way in: {@link dev.millrace.hub.house.Room}. */
@NullMarked
package dev.millrace.hub.house;

import org.jspecify.annotations.NullMarked;
