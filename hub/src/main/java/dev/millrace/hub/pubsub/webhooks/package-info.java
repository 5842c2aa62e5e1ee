/** Messages that are sent to others, until they have taken them. */
@NullMarked
package dev.millrace.hub.pubsub.webhooks;

import org.jspecify.annotations.NullMarked;
