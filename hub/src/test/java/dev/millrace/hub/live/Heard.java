package dev.millrace.hub.live;

/**
 * Something that a listener was sent.
 *
 * @param event {@code fact}, {@code snapshot}, {@code reload}, {@code ready}, {@code bye}, {@code
 *     error}
 * @param feed empty where it is not about one
 */
record Heard(String event, String feed, String data) {}
