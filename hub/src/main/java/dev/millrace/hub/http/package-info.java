/** The HTTP server of the hub, which all rooms share. A hallway: it knows no room. */
@NullMarked
package dev.millrace.hub.http;

import org.jspecify.annotations.NullMarked;
