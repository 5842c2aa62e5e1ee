/**
 * MQTT: a broker of our own, or one outside. So far its settings: {@link
 * dev.millrace.hub.mqtt.MqttSettings}.
 */
@NullMarked
package dev.millrace.hub.mqtt;

import org.jspecify.annotations.NullMarked;
