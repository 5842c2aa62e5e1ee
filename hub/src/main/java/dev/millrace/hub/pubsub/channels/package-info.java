/** Messages, those who wait for them, and who may. */
@NullMarked
package dev.millrace.hub.pubsub.channels;

import org.jspecify.annotations.NullMarked;
