/**
 * Who may do what: roles, scopes, API tokens, networks, the delay against guessing and the audit
 * feed. It knows nothing of HTTP or MQTT; both bring a token text and an address to the {@link
 * dev.millrace.hub.access.Gate} and translate its decision. {@link dev.millrace.hub.access.Access}
 * is the way in.
 */
@NullMarked
package dev.millrace.hub.access;

import org.jspecify.annotations.NullMarked;
