package dev.millrace.hub.fuzz;

/** One client that sends what it should not, step by step; used by one thread. */
interface Attacker extends AutoCloseable {
    /**
     * Does one step and judges what comes back. What it sends depends on the dice alone.
     *
     * @return how many requests or packets that were
     */
    int step(Dice dice, Faults.Place place);

    @Override
    default void close() {}
}
