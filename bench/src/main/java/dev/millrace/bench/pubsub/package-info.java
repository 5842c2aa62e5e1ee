/** Message channels over HTTP. Way in: {@link dev.millrace.bench.pubsub.PubsubBench}. */
@NullMarked
package dev.millrace.bench.pubsub;

import org.jspecify.annotations.NullMarked;
