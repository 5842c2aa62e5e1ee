/** What a configuration says about channels, webhooks and admins, in the words of its file. */
@NullMarked
package dev.millrace.hub.pubsub.config;

import org.jspecify.annotations.NullMarked;
