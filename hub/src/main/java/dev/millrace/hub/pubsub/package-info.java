/**
 * Durable messages in channels, read by subscribers at their own pace, from the fifth key
 * description. Every key of a channel carries the channel as its hash tag, so it is the same on a
 * single server and on a cluster. Way in: {@link dev.millrace.hub.pubsub.Pubsub}; why it is so:
 * docs/decisions/0018-message-channels.md.
 */
@NullMarked
package dev.millrace.hub.pubsub;

import org.jspecify.annotations.NullMarked;
