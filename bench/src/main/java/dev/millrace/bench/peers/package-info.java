/**
 * {@code ./millrace bench peers}: this hub and servers that speak the same APIs, asked the same in
 * turns. {@link dev.millrace.bench.peers.PeersBench} is the way in.
 */
@NullMarked
package dev.millrace.bench.peers;

import org.jspecify.annotations.NullMarked;
