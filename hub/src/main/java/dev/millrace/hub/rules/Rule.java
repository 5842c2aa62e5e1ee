package dev.millrace.hub.rules;

/** Business logic: on this condition, do that. Never an alarm rule. */
record Rule(String id) {}
