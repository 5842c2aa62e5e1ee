/**
 * MQTT: a broker of our own, or one outside, and what rooms need of either. {@link
 * dev.millrace.hub.mqtt.Mqtt} is opened once and handed to them: a {@link
 * dev.millrace.hub.mqtt.Sender} sends in order, a {@link dev.millrace.hub.mqtt.Receiver} listens in
 * a session that outlives the hub. The embedded broker begins at {@code EmbeddedBroker}.
 */
@NullMarked
package dev.millrace.hub.mqtt;

import org.jspecify.annotations.NullMarked;
