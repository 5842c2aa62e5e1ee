package dev.millrace.hub.http;

/** One header of an answer. */
public record Header(String name, String value) {}
