/**
 * The broker in the hub itself, for all who have none of their own. {@link
 * dev.millrace.hub.mqtt.embedded.EmbeddedBroker} starts it. What a client sends passes {@code
 * Listener} (the port, TLS), {@code Doorstep} (is this MQTT at all?), {@code GuestLine} (one
 * connection: the rules of the protocol, and names under which no client can reach what is
 * another's) and {@code Doorkeeper} (who may do what), in this order, before the broker proper sees
 * it.
 */
@NullMarked
package dev.millrace.hub.mqtt.embedded;

import org.jspecify.annotations.NullMarked;
