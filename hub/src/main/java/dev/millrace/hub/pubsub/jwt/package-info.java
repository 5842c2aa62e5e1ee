/** The tokens that channels may ask for. */
@NullMarked
package dev.millrace.hub.pubsub.jwt;

import org.jspecify.annotations.NullMarked;
