package dev.millrace.hub.access;

/**
 * Changes whenever somebody changes what it is about, so that all hubs notice.
 *
 * @param about what: {@code tokens}
 * @param mark another one each time
 */
record Generation(String about, String mark) {}
