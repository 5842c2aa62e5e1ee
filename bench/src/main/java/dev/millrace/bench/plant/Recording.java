package dev.millrace.bench.plant;

import java.util.List;

/**
 * Calls of the hub to Redis.
 *
 * @param writes of clients that they carried, which are more where the hub puts several into one
 */
record Recording(List<byte[][]> calls, long writes) {
    Recording {
        calls = List.copyOf(calls);
        if (calls.isEmpty()) {
            throw new IllegalStateException("The hub called nothing that could be recorded.");
        }
    }

    /** How many writes of clients each of so many equal parts carries. */
    double writesOf(int parts) {
        return (double) writes / parts;
    }
}
