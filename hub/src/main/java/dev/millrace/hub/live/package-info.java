/**
 * Feeds for whoever is connected: server-sent events at {@code /live}, WebSocket at {@code
 * /live/ws}. A room names its feed in a {@link dev.millrace.hub.live.LiveFeed}; reading it once for
 * all clients, snapshots, resuming and slow clients are looked after here.
 */
@NullMarked
package dev.millrace.hub.live;

import org.jspecify.annotations.NullMarked;
