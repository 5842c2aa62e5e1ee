/**
 * Who else learns of alarms: people by notifications, programs by a message channel and by MQTT.
 * Each reads the feed that alarms are told in, from where it was; so a crash loses nothing.
 */
@NullMarked
package dev.millrace.hub.alarms.telling;

import org.jspecify.annotations.NullMarked;
