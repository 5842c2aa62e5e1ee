package dev.millrace.bench.peers;

/**
 * What one side did in one round.
 *
 * @param serverNanos processor time of its processes, without its Redis; with what they still did
 *     when they had answered
 * @param loadNanos processor time of this process, which makes the load
 * @param othersNanos of everybody else on this machine
 */
record PeerTurn(
        long count,
        long nanos,
        long serverNanos,
        long redisNanos,
        long loadNanos,
        long othersNanos) {

    double perSecond() {
        return count * 1e9 / nanos;
    }

    double serverMicros() {
        return serverNanos / 1000.0 / count;
    }

    double redisMicros() {
        return redisNanos / 1000.0 / count;
    }

    /** How much of a core the load took. */
    double loadCores() {
        return loadNanos / (double) nanos;
    }

    /** How many cores others kept busy, who had nothing to do with it. */
    double coresOfOthers() {
        return othersNanos / (double) nanos;
    }
}
