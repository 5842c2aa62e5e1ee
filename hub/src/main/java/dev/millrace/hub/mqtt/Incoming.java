package dev.millrace.hub.mqtt;

/** A message that has arrived. */
public record Incoming(String topic, byte[] payload) {}
