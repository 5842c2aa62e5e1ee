package dev.millrace.hub.models;

/** The class of some models: what they have in common. */
record Template(String id) {}
