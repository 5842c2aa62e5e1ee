package dev.millrace.keyspace.redis;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What the connection did so far. Counters only grow; read them with {@link Redis#figures()}. */
final class RedisStats {
    final LongAdder requests = new LongAdder();
    final LongAdder batches = new LongAdder();
    final LongAdder roundTripNanos = new LongAdder();
    final LongAccumulator slowestNanos = new LongAccumulator(Math::max, 0);
    final LongAdder connects = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder unconfirmed = new LongAdder();
    final LongAdder unknown = new LongAdder();
}
